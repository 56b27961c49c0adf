// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// One call of a batch, as its part of the body says.
struct BatchCall: Equatable, Sendable {
    var method: HTTPRequest.Method
    /// The path and query; of an absolute URL, what stands behind the host.
    var target: String
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// What the client calls the part by.
    var contentID: String?

    /// The id of the part that answers: `response-` and the call's own, within the angle brackets if there are some.
    ///
    /// Source: https://cloud.google.com/storage/docs/batch (2026-11).
    var responseContentID: String? {
        contentID.map { $0.hasPrefix("<") ? "<response-\($0.dropFirst())" : "response-\($0)" }
    }
}
