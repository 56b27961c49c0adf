// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import FirestoreServer

struct ErrorDetailTests {
    private static let error = CallError(
        code: .failedPrecondition,
        message: "m",
        details: [
            .info(reason: "R", metadata: ["b": "2", "a": "1"]),
            .badRequest([ErrorDetail.FieldViolation(field: "f", description: "d")]),
            .help([ErrorDetail.HelpLink(description: "l", url: "u")]),
        ]
    )

    @Test func `writes details as JSON`() {
        let response = RESTResponse(error: Self.error, usage: CallUsage(call: "runQuery"))
        let text = String(decoding: response.body, as: UTF8.self)
        let info =
            #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R","#
            + #""domain":"firestore.googleapis.com","metadata":{"a":"1","b":"2"}}"#
        let badRequest =
            #"{"@type":"type.googleapis.com/google.rpc.BadRequest","#
            + #""fieldViolations":[{"field":"f","description":"d"}]}"#
        let help = #"{"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"l","url":"u"}]}"#
        #expect(
            text == #"{"error":{"code":400,"message":"m","status":"FAILED_PRECONDITION","#
                + #""details":[\#(info),\#(badRequest),\#(help)]}}"#
        )
    }

    @Test func `puts the error of a streaming call in a list`() {
        let response = RESTResponse(
            error: CallError(code: .notFound, message: "m"),
            isStreamed: true,
            usage: CallUsage(call: "runQuery")
        )
        #expect(response.status == 404)
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"[{"error":{"code":404,"message":"m","status":"NOT_FOUND"}}]"#
        )
        let streamed: [RESTCall] = [.batchGetDocuments, .executePipeline, .runAggregationQuery, .runQuery]
        #expect(RESTCall.allCases.filter(\.isStreamed) == streamed)
    }

    @Test func `writes details as a status in bytes`() throws {
        let status = try Proto.Status(serializedBytes: try #require(Self.error.statusDetails))
        #expect(status.code == 9)
        #expect(status.message == "m")
        #expect(
            status.details.map(\.typeURL)
                == ["ErrorInfo", "BadRequest", "Help"].map { "type.googleapis.com/google.rpc.\($0)" }
        )
        let bytes = status.details.map { Array($0.value) }
        let domain = Array("firestore.googleapis.com".utf8)
        #expect(
            bytes[0] == [0x0A, 1, 0x52, 0x12, UInt8(domain.count)] + domain
                + [0x1A, 6, 0x0A, 1, 0x61, 0x12, 1, 0x31, 0x1A, 6, 0x0A, 1, 0x62, 0x12, 1, 0x32]
        )
        #expect(bytes[1] == [0x0A, 6, 0x0A, 1, 0x66, 0x12, 1, 0x64])
        #expect(bytes[2] == [0x0A, 6, 0x0A, 1, 0x6C, 0x12, 1, 0x75])
        #expect(CallError(code: .aborted, message: "m").statusDetails == nil)
    }

    @Test func `writes long texts with a long length`() {
        let text = String(repeating: "x", count: 300)
        let detail = ErrorDetail.badRequest([ErrorDetail.FieldViolation(field: "", description: text)])
        #expect(Array(detail.protobuf.prefix(6)) == [0x0A, 0xAF, 0x02, 0x12, 0xAC, 0x02])
        #expect(detail.protobuf.count == 306)
    }

    @Test func `takes over the reason of the store`() {
        let error = CallError(FirestoreError(.failedPrecondition, "m", reason: "R"))
        #expect(error.details == [.info(reason: "R")])
        #expect(CallError(FirestoreError(.aborted, "m")).details.isEmpty)
    }
}
