// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import Foundation
import SwiftProtobuf

/// One Write stream: opened by a message without writes, then one commit for each message.
///
/// Every answer carries a token that the next message repeats; what a client sends after a broken stream is counted from the start,
/// as commits are acknowledged one by one.
struct WriteStream: Sendable {
    private let calls: FirestoreCalls
    private let id: String
    private var database: DatabaseID?
    private var answerCount: UInt64 = 0

    /// Creates a stream that waits for its first message.
    init(calls: FirestoreCalls, id: String) {
        self.calls = calls
        self.id = id
    }

    /// Answers the next message; an error ends the stream.
    mutating func answer(
        _ request: Proto.WriteRequest,
        in context: CallContext
    ) async throws -> Proto.WriteResponse {
        guard let database else { return try open(request, in: context) }
        guard request.database.isEmpty || request.database == database.name else {
            throw CallError.writeStreamDatabaseChanged
        }
        var response = makeResponse()
        guard !request.writes.isEmpty else { return response }
        var commit = Proto.CommitRequest()
        commit.database = "\(database)"
        commit.writes = request.writes
        let committed = try await calls.commit(ReceivedCommit(commit), in: context).value().message
        response.writeResults = committed.writeResults
        response.commitTime = committed.commitTime
        return response
    }

    private mutating func open(
        _ request: Proto.WriteRequest,
        in context: CallContext
    ) throws -> Proto.WriteResponse {
        let database = try DatabaseID(parsing: request.database)
        context.attribute(to: database)
        guard request.writes.isEmpty else { throw CallError.writeStreamOpenedWithWrites }
        self.database = database
        var response = makeResponse()
        response.streamID = id
        return response
    }

    private mutating func makeResponse() -> Proto.WriteResponse {
        defer { answerCount += 1 }
        var response = Proto.WriteResponse()
        response.streamToken = Data(String(answerCount).utf8)
        return response
    }
}
