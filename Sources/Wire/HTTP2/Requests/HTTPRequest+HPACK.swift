// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHPACK

extension HTTPRequest {
    /// Reads the head of a request, whose pseudo-header fields the codec has validated; `nil` for an impossible method.
    init?(_ headers: HPACKHeaders) {
        guard let method = headers.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else { return nil }
        self.init(
            method: method,
            scheme: headers.first(name: ":scheme"),
            authority: headers.first(name: ":authority") ?? headers.first(name: "host"),
            path: headers.first(name: ":path")
        )
        for (name, value, _) in headers where !name.hasPrefix(":") && name != "host" {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, value: value))
        }
    }
}

extension HPACKHeaders {
    /// The fields that HTTP/1.1 alone knows (RFC 9113 section 8.2.2).
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Writes the head of a response.
    init(_ response: HTTPResponse) {
        self.init([(":status", String(response.status.code))])
        for field in response.headerFields where !Self.connectionFields.contains(field.name.canonicalName) {
            add(name: field.name.canonicalName, value: field.value)
        }
    }
}
