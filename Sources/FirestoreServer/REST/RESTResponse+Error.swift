// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting

extension RESTResponse {
    /// Creates an error in the JSON form of Google's APIs.
    ///
    /// Where the call answers with a list of messages, the error is the one message in it, also when it is the first.
    init(error: CallError, isStreamed: Bool = false, usage: CallUsage) {
        let body = isStreamed ? JSONText.array([error.json]) : error.json
        self.init(
            status: error.code.httpStatus,
            body: Array(body.rendered(isIndented: false).utf8),
            usage: usage
        )
    }
}

extension CallError {
    fileprivate var json: JSONText {
        let members: [(String, JSONText?)] = [
            ("code", .integer(Int64(code.httpStatus))), ("message", .string(message)), ("status", .string(code.name)),
            ("details", details.isEmpty ? nil : .array(details.map(\.json))),
        ]
        return .object([("error", .object(compacting: members))])
    }
}

extension RESTCall {
    /// Whether the call answers with a list of messages.
    var isStreamed: Bool {
        switch self {
        case .batchGetDocuments, .executePipeline, .runAggregationQuery, .runQuery: true
        default: false
        }
    }
}
