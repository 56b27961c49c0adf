// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

extension CallError {
    /// For JSON that is neither read nor refused for a better reason.
    static let payloadInvalid = jsonInvalid("Payload isn't valid for request.")

    static func jsonInvalid(_ reason: String) -> Self {
        invalid("Invalid JSON payload received. \(reason)")
    }

    /// The largest body of a REST request, a MiB above the limit that the documentation names (recorded from production,
    /// 2026-09).
    static let restBodyByteCountMax = 11 << 20

    static let restBodyTooLarge = invalid(
        "Request payload size exceeds the limit: \(restBodyByteCountMax) bytes."
    )

    static let restBodyBroken = invalid(
        "The request's body is cut off or not chunked as HTTP/1.1 says; send all of it."
    )

    /// Words why a body cannot be had.
    init(_ error: RequestBodyError) {
        switch error {
        case .tooLarge: self = .restBodyTooLarge
        case .broken: self = .restBodyBroken
        // 429, which Google's clients repeat, later each time (google-api-core 2, `retry.if_transient_error`).
        case .memoryExceeded(let exceeded): self.init(code: .resourceExhausted, message: exceeded.message)
        }
    }

    static let pathNotFound = Self(code: .notFound, message: "Not Found")

    static let queryMalformed = invalid(
        "The query of the request holds a broken percent escape; encode names and values as UTF-8."
    )

    static let formatUnserved = invalid(
        "The format that alt asks for is not served here; leave it out or make it json."
    )

    static let fieldsMalformed = invalid(
        "The parameter fields is not a selection such as name,fields(title,likes/integerValue)."
    )

    /// Production's words (quoted from the Sheets and Places APIs, 2026-04); the violation's field is the parameter.
    static func fieldsUnmatched(_ parameter: String, path: String) -> Self {
        let description = "Error expanding 'fields' parameter. Cannot find matching fields for path '\(path)'."
        return invalid(
            "Request contains an invalid argument.",
            details: [.badRequest([ErrorDetail.FieldViolation(field: parameter, description: description)])]
        )
    }

    static let preconditionAmbiguous = invalid(
        "currentDocument.exists and currentDocument.updateTime exclude each other; keep one."
    )

    static let unexpected = Self(code: .internal, message: "The server failed in an unexpected way.")

    static func parameterRepeated(_ name: String) -> Self {
        invalid("Query parameter \"\(name)\" may appear only once.")
    }

    /// The text of Google's services for a field of the request that does not exist.
    static func parameterUnknown(_ name: String) -> Self {
        var faults = BodyFaults()
        faults.addUnknownName(
            name,
            in: "",
            because: "Cannot bind query parameter. Field '\(name)' could not be found in request message."
        )
        return faults.error
    }

    static func pathSegmentMalformed(_ index: Int) -> Self {
        invalid("Path segment \(index) is empty, holds a broken percent escape or an encoded \"/\".")
    }

    static func nameMismatch(url: String) -> Self {
        invalid("The body names another resource than the URL; leave the name out or make it \"\(url)\".")
    }
}
