// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSONWriting
import Wire

extension StorageFailure {
    /// How an API words its failures.
    enum Form {
        /// The v0 API: JSON of a code and a message.
        case firebase
        /// The JSON API: the same with a list of errors.
        case json
        /// Media requests to the JSON API: the bare message (recorded from production in 2026).
        case text
    }

    /// The answer in the given form.
    func response(in form: Form) -> Response {
        switch form {
        case .firebase: .json(.object([("error", .object(summary))]), status: status)
        case .json: .json(.object([("error", .object(summary + [("errors", .array([detail]))]))]), status: status)
        case .text: .text(message, contentType: "text/html; charset=UTF-8", status: status)
        }
    }

    private var summary: [(String, JSONText)] {
        [("code", .integer(Int64(status))), ("message", .string(message))]
    }

    private var detail: JSONText {
        let isCondition = self == .preconditionFailed
        return .object(compacting: [
            ("message", .string(message)),
            ("domain", "global"),
            ("reason", .string(reason)),
            ("locationType", isCondition ? "header" : nil),
            ("location", isCondition ? "If-Match" : nil),
        ])
    }
}
