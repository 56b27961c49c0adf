// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Bytes of a budget that one thing holds; given back once: when it says so, or else when the reservation goes.
package final class ByteReservation: Sendable {
    private enum State {
        case holding(Int)
        case ended
    }

    private let budget: ByteBudget
    private let spareByteCount: Int
    private let state = NIOLockedValueBox(State.holding(0))

    /// Creates a reservation of nothing.
    ///
    /// - Parameters:
    ///   - budget: What the bytes are taken of.
    ///   - spareByteCount: Bytes that are held without asking the budget.
    package init(of budget: ByteBudget, sparing spareByteCount: Int = MemoryLimits.spareByteCount) {
        self.budget = budget
        self.spareByteCount = spareByteCount
    }

    deinit { giveBack() }

    /// Holds at least `byteCount` bytes in all from now on.
    package func hold(_ byteCount: Int) throws(BudgetExceeded) {
        let result: Result<Void, BudgetExceeded> = state.withLockedValue { state in
            guard case .holding(let taken) = state, byteCount - spareByteCount > taken else { return .success(()) }
            do throws(BudgetExceeded) {
                try budget.take(byteCount - spareByteCount - taken)
            } catch {
                return .failure(error)
            }
            state = .holding(byteCount - spareByteCount)
            return .success(())
        }
        try result.get()
    }

    /// Holds nothing from now on.
    package func giveBack() {
        let taken = state.withLockedValue { state in
            defer { state = .ended }
            guard case .holding(let taken) = state else { return 0 }
            return taken
        }
        budget.giveBack(taken)
    }
}
