// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentStore
import FirestoreProtocol
import Foundation
import NIOConcurrencyHelpers
import SwiftProtobuf

/// A request to commit, with most documents' fields read straight from the wire's bytes.
///
/// By way of the messages, reading the fields of a large commit would take longer than storing them.
package struct ReceivedCommit: Sendable {
    /// The request without its writes.
    let request: Proto.CommitRequest
    let writes: [ReceivedWrite]

    /// Takes a request that was read another way.
    package init(_ request: Proto.CommitRequest) {
        self.request = request
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
        var rest = WireWriter()
        var writes: [UnsafeRawBufferPointer] = []
        while let tag = try fields.nextTag() {
            let content = try fields.nextContent(of: tag)
            if tag == WireTag.commitWrite {
                writes.append(content)
            } else {
                rest.append(tag, content: content)
            }
        }
        request = try Proto.CommitRequest(serializedBytes: rest.bytes)
        self.writes = try Self.read(writes)
    }

    /// So many writes of so many bytes are read in the time it takes to wake another core a few times.
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

extension WireReader {
    /// The content of a field that a request has only with a length.
    mutating func nextContent(of tag: UInt64) throws -> UnsafeRawBufferPointer {
        guard tag & 7 == WireTag.delimited else { throw CallError.unexpected }
        return try nextContent()
    }
}
