// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Computes two values, on two cores where there are two.
///
/// - Parameters:
///   - first: Computes the one.
///   - second: Computes the other.
/// - Returns: Both.
func sideBySide<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First,
    and second: @Sendable () -> Second
) -> (First, Second) {
    // Each is written by one thread, and read when both threads are done.
    nonisolated(unsafe) var firstValue: First?
    nonisolated(unsafe) var secondValue: Second?
    DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { firstValue = first() } else { secondValue = second() }
    }
    guard let firstValue, let secondValue else { preconditionFailure("concurrentPerform left work undone") }
    return (firstValue, secondValue)
}
