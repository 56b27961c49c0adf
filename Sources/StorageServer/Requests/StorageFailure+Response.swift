// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
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
        if self == .notModified { return Response(status: .notModified) }
        return switch form {
        case .firebase: .json(.object([("error", .object(summary(firebaseMessage ?? message)))]), status: status)
        case .json:
            .json(.object([("error", .object(summary(message) + [("errors", .array([detail]))]))]), status: status)
        case .text: .text(message, contentType: "text/html; charset=UTF-8", status: status)
        }
    }

    private func summary(_ message: String) -> [(String, JSONText)] {
        [("code", .integer(Int64(status))), ("message", .string(message))]
    }

    private var detail: JSONText {
        let (locationType, location): (JSONText?, JSONText?) =
            switch location {
            case .parameter(let name): ("parameter", .string(name))
            case .header(let name): ("header", .string(name))
            case nil: (nil, nil)
            }
        return .object(compacting: [
            ("message", .string(message)),
            ("domain", "global"),
            ("reason", .string(reason)),
            ("locationType", locationType),
            ("location", location),
        ])
    }
}
