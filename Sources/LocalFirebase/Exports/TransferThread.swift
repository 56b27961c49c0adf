// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers
import SuiteFiles

/// Runs imports and exports on threads of their own.
///
/// They may wait for another process that writes an export in the same directory, for as long as that takes; the threads
/// on which requests are answered must not.
enum TransferThread {
    /// How many imports and exports that are asked for by calls run, or wait, at a time.
    static let callCountMax = 16

    private static let callCount = NIOLockedValueBox(0)

    /// Runs work on a thread of its own.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Runs work that a call asks for; throws `ExportError` where too much of it is under way.
    static func answer<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let isFree = callCount.withLockedValue { count in
            guard count < callCountMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw ExportError.busy(callCountMax) }
        defer { callCount.withLockedValue { $0 -= 1 } }
        return try await run(work)
    }
}
