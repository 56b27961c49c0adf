// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import SwiftProtobuf
import Testing

/// A request and the refusal recorded from production for it (t-k/fireemu, `conformance`, 2026-09).
///
/// The description is the recording's program and step. In bodies and texts `DOCS` stands for the name of the
/// database's documents.
struct Recorded: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: RESTRequest
    let code: String
    let message: String
    /// The JSON of the details; `nil` for none.
    let details: String?

    init(
        _ recording: String,
        _ path: String,
        _ body: String,
        code: String = "INVALID_ARGUMENT",
        _ message: String,
        details: String? = nil
    ) {
        testDescription = recording
        let isGet = path.hasPrefix(Self.get)
        let target = "/v1/\(FirestoreFixture.documents)\(isGet ? path.dropFirst(Self.get.count) : path[...])"
        request = RESTRequest(isGet ? "GET" : "POST", target, Self.expand(body), authorization: "Bearer owner")
        self.code = code
        self.message = Self.expand(message)
        self.details = details
    }

    /// A refusal of JSON: the one violation repeats the message.
    static func fault(_ recording: String, _ path: String, _ body: String, at field: String?, _ message: String) -> Self
    {
        let quoted = message.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let place = field.map { "\"field\":\"\($0)\"," } ?? ""
        let violation = "{\(place)\"description\":\"\(quoted)\"}"
        return Recorded(
            recording,
            path,
            body,
            message,
            details: #"[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[\#(violation)]}]"#
        )
    }

    /// The prefixes of paths that must not be posted to.
    private static let get = "GET "

    static func expand(_ text: String) -> String {
        text.replacing("DOCS", with: FirestoreFixture.documents)
    }
}

extension RESTResponse {
    /// The error of an answer, which streaming calls put in a list.
    var errorFields: [String: Google_Protobuf_Value]? {
        let whole = try? Google_Protobuf_Value(jsonUTF8Bytes: body)
        let answer = whole?.listValue.values.first ?? whole
        return answer?.structValue.fields["error"]?.structValue.fields
    }
}
