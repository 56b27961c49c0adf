// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import DocumentStore
@testable import FirestoreModel
@testable import FirestoreServer

struct CommitAnswerTests {
    private static let time = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_000)

    @Test(
        arguments: [
            [], [WriteResult(updateTime: time, transformResults: [])],
            [WriteResult(updateTime: nil, transformResults: [])],
            [WriteResult(updateTime: time, transformResults: [.integer(3), .null])],
            [
                WriteResult(updateTime: Timestamp(seconds: 0), transformResults: []),
                WriteResult(updateTime: Timestamp(seconds: -1, nanoseconds: 1_000), transformResults: []),
            ],
        ] as [[WriteResult]]
    )
    func `is written as the message is`(results: [WriteResult]) throws {
        let result = CommitResult(commitTime: Self.time, results: results, billedWrites: 0, billedDeletes: 0)
        let answer = CommitAnswer(result: result)
        #expect(try Proto.CommitResponse(serializedBytes: answer.serialized()) == answer.message)
        #expect(answer.message.writeResults.count == results.count)
    }

    @Test func `is empty for no commit`() throws {
        #expect(try CommitAnswer(result: nil).serialized().isEmpty)
    }
}
