// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

extension RESTResponse {
    /// Creates an error in the JSON form of Google's APIs.
    ///
    /// Where the call answers with a list of messages, the error is the one message in it, also when it is the first.
    /// The status is a name also where enumerations are numbers: googleapis/gax-nodejs asks for numbers in every call
    /// and looks the status up by its name (`GoogleError.parseHttpError`, 2026-11).
    init(
        error: CallError,
        isStreamed: Bool = false,
        in form: AnswerForm = AnswerForm(isIndented: false),
        usage: CallUsage
    ) {
        let json = error.json(withList: form.hasErrorList)
        let body = form.rendered(isStreamed ? .array([json]) : json)
        self.init(
            status: error.code.httpStatus,
            contentType: form.contentType,
            body: Array(body.utf8),
            usage: usage
        )
    }
}

extension CallError {
    /// The error in the JSON form of Google's APIs.
    func json(withList hasList: Bool) -> JSONText {
        let members: [(String, JSONText?)] = [
            ("code", .integer(Int64(code.httpStatus))), ("message", .string(message)),
            ("errors", hasList ? .array([listed]) : nil), ("status", .string(code.name)),
            ("details", details.isEmpty ? nil : .array(details.map(\.json))),
        ]
        return .object([("error", .object(compacting: members))])
    }

    /// The error in the form of older APIs.
    private var listed: JSONText {
        .object([("message", .string(message)), ("domain", "global"), ("reason", .string(code.reason))])
    }
}

extension StatusCode {
    /// `notFound` for `NOT_FOUND`.
    private var lowerCamelName: String {
        let words = name.lowercased().split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// The word for the kind of failure in the form of older APIs.
    fileprivate var reason: String {
        switch self {
        case .invalidArgument: "badRequest"
        case .unauthenticated: "unauthorized"
        case .permissionDenied: "forbidden"
        case .resourceExhausted: "rateLimitExceeded"
        case .unknown, .internal, .dataLoss, .unavailable: "backendError"
        case .ok, .cancelled, .deadlineExceeded, .notFound, .alreadyExists, .failedPrecondition, .aborted, .outOfRange,
            .unimplemented:
            lowerCamelName
        }
    }
}

extension RESTCall {
    /// Whether the call answers with a list of messages.
    var isStreamed: Bool {
        switch self {
        case .batchGetDocuments, .executePipeline, .runAggregationQuery, .runQuery: true
        case .getDocument, .listDocuments, .createDocument, .updateDocument, .deleteDocument, .batchWrite,
            .beginTransaction, .commit, .listCollectionIDs, .partitionQuery, .rollback, .clearDocuments:
            false
        }
    }
}
