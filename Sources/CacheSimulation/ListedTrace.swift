// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A trace in memory.
package struct ListedTrace: RequestTrace, Hashable {
    private var requests: [TraceBlock.Request] = []
    private var latest: [Int] = []
    private var offset = 0

    /// Creates a trace without requests.
    package init() {}

    /// The requests.
    package var count: Int { requests.count }

    /// Adds a request for an object; objects are numbered from 0.
    package mutating func append(_ object: Int, byteCount: Int) {
        while latest.count <= object { latest.append(-1) }
        if latest[object] >= 0 {
            let earlier = requests[latest[object]]
            requests[latest[object]] = TraceBlock.Request(
                object: earlier.object,
                byteCount: earlier.byteCount,
                nextRequest: Int64(count)
            )
        }
        latest[object] = count
        requests.append(
            TraceBlock.Request(object: Int32(object), byteCount: UInt32(clamping: byteCount), nextRequest: .max)
        )
    }

    package mutating func read(_ block: inout TraceBlock) -> Bool {
        block.removeAll()
        guard offset < count else { return false }
        let end = min(count, offset + TraceBlock.requestCountMax)
        block.requests.append(contentsOf: requests[offset..<end])
        offset = end
        return true
    }
}

/// Some requests of a trace, in their order.
package struct TraceBlock: Sendable {
    /// One request.
    package struct Request: Sendable, Hashable {
        /// The object, by its number: they are counted from 0 as they come up first, so that what is known of an object has a
        /// place in an array.
        package let object: Int32
        /// The object's bytes.
        package let byteCount: UInt32
        /// The number of the next request of the same object in the whole trace; `Int64.max` where there is none.
        package let nextRequest: Int64
    }

    /// The most requests of a block.
    static let requestCountMax = 4_096

    /// The requests.
    package internal(set) var requests: [Request] = []

    /// Creates an empty block.
    package init() { requests.reserveCapacity(Self.requestCountMax) }

    /// The highest number of an object; -1 without requests.
    var lastObject: Int { requests.reduce(-1) { max($0, Int($1.object)) } }

    mutating func removeAll() { requests.removeAll(keepingCapacity: true) }
}

/// Why a trace cannot be read or written.
package struct TraceError: Error, Sendable, CustomStringConvertible {
    /// The problem, and how to remedy it.
    package let description: String

    static func unreadable(_ path: String, error: any Error) -> Self {
        Self(description: "cannot read \(path): \(error.localizedDescription)")
    }

    static func notOracle(_ path: String, byteCount: Int) -> Self {
        let size = OracleTrace.recordByteCount
        return Self(description: "\(path) is no oracleGeneral trace: \(byteCount) bytes are no records of \(size)")
    }

    static func recordWrong(_ path: String, number: Int) -> Self {
        let problem = "record \(number) names a next request that is not behind it"
        return Self(description: "\(path) is no oracleGeneral trace: \(problem)")
    }
}

/// Requests in their order, read block by block.
package protocol RequestTrace: Sendable {
    /// Reads the next requests into a block, which may be none; false at the end.
    mutating func read(_ block: inout TraceBlock) throws -> Bool
}
