// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why a trace cannot be read or written.
package struct TraceError: Error, Sendable, CustomStringConvertible {
    /// The problem, and how to remedy it.
    package let description: String

    static func unreadable(_ path: String, _ error: any Error) -> Self {
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
