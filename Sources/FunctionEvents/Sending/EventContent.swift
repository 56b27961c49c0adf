// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The header fields and the body of an event.
struct EventContent: Sendable {
    static let json = "application/json"

    let headers: [(name: String, value: String)]
    let body: [UInt8]

    init(headers: [(name: String, value: String)], body: [UInt8]) {
        (self.headers, self.body) = (headers, body)
    }

    init(json: JSONText, contentType: String = EventContent.json) {
        self.init(
            headers: [("Content-Type", contentType)],
            body: Array(json.rendered(isIndented: false).utf8)
        )
    }
}
