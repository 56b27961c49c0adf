// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Foundation
import NIOConcurrencyHelpers
import SwiftProtobuf

/// A request to commit, with most documents' fields read straight from the wire's bytes.
///
/// By way of the messages, reading the fields of a large commit would take longer than storing them.
package struct ReceivedCommit: Sendable {
    /// As the request names it.
    let database: String
    /// Empty outside of a transaction.
    let transaction: Data
    let writes: [ReceivedWrite]

    /// Takes a request that was read another way.
    package init(_ request: Proto.CommitRequest) {
        database = request.database
        transaction = request.transaction
        writes = request.writes.map { ReceivedWrite($0) }
    }

    /// Reads a request.
    init(serializedBytes bytes: UnsafeRawBufferPointer) throws {
        do {
            try self.init(WireReader(bytes))
        } catch {
            // The messages' own reader has the last word on what is wrong.
            self.init(try Proto.CommitRequest(serializedBytes: Array(bytes)))
        }
    }

    private init(_ fields: consuming WireReader) throws {
        var database = ""
        var transaction = Data()
        var writes: [UnsafeRawBufferPointer] = []
        while let tag = try fields.nextTag() {
            switch tag {
            case WireTag.commitDatabase: database = try fields.nextValidText()
            case WireTag.commitWrite: writes.append(try fields.nextContent())
            case WireTag.commitTransaction: transaction = Data(try fields.nextContent())
            default: throw CallError.unexpected
            }
        }
        self.database = database
        self.transaction = transaction
        self.writes = try Self.read(writes)
    }

    /// This many writes of this many bytes are read in the time it takes to wake another core a few times.
    private static let writeCountPerCore = 64
    private static let byteCountPerCore = 16_384
    private static let coreCount = ProcessInfo.processInfo.activeProcessorCount

    /// Reads writes, those of a large commit on several cores.
    private static func read(_ writes: [UnsafeRawBufferPointer]) throws -> [ReceivedWrite] {
        let byteCount = writes.reduce(0) { $0 + $1.count }
        let partCount = min(coreCount, writes.count / writeCountPerCore, byteCount / byteCountPerCore)
        guard partCount > 1 else { return try writes.map { try ReceivedWrite(serializedBytes: $0) } }
        // The bytes stay where they are until all parts are read.
        nonisolated(unsafe) let writes = writes
        let parts = NIOLockedValueBox([Int: Result<[ReceivedWrite], any Error>]())
        DispatchQueue.concurrentPerform(iterations: partCount) { part in
            let range = (part * writes.count / partCount)..<((part + 1) * writes.count / partCount)
            let result = Result { try writes[range].map { try ReceivedWrite(serializedBytes: $0) } }
            parts.withLockedValue { $0[part] = result }
        }
        return try parts.withLockedValue { parts in
            try (0..<partCount).flatMap { try parts[$0]?.get() ?? [] }
        }
    }
}

/// The answer to a commit.
package struct CommitAnswer: Sendable {
    /// `nil` for no writes outside a transaction, which has the empty answer.
    let result: CommitResult?

    package var message: Proto.CommitResponse {
        var response = Proto.CommitResponse()
        guard let result else { return response }
        response.writeResults = result.results.map { Proto.WriteResult($0) }
        response.commitTime = Google_Protobuf_Timestamp(result.commitTime)
        return response
    }

    /// The message in the wire format, which is written as it is unless transforms have results.
    func serialized() throws -> [UInt8] {
        guard let result, result.results.allSatisfy(\.transformResults.isEmpty) else {
            return try message.serializedBytes()
        }
        var writer = WireWriter(capacity: 20 * (result.results.count + 1))
        for write in result.results {
            writer.append(WireTag.commitWriteResult) { message in
                if let time = write.updateTime { message.append(WireTag.writeResultUpdateTime, time: time) }
            }
        }
        writer.append(WireTag.commitTime, time: result.commitTime)
        return writer.bytes
    }
}
