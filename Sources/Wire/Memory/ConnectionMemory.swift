// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The bytes that the streams of one connection hold; it lives on the connection's event loop.
///
/// It takes the connection's budget in grains: what comes and goes within one costs an addition.
package final class ConnectionMemory {
    private let budget: ByteBudget
    private var heldByteCount = 0
    private var grantedByteCount = 0

    /// Creates the memory of a connection that holds nothing.
    package init(_ budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(grantedByteCount) }

    /// Takes bytes, or none at all.
    package func take(_ byteCount: Int) throws(BudgetExceeded) {
        let needed = heldByteCount + byteCount - grantedByteCount
        if needed > 0 { try grant(needed) }
        heldByteCount += byteCount
    }

    /// Gives back bytes that were taken.
    package func giveBack(_ byteCount: Int) {
        precondition(byteCount <= heldByteCount, "more is given back (\(byteCount)) than held (\(heldByteCount))")
        heldByteCount -= byteCount
        // The first grain is kept: it is spare.
        let kept = max(MemoryLimits.grainByteCount, Self.wholeGrains(heldByteCount))
        guard grantedByteCount > kept else { return }
        budget.giveBack(grantedByteCount - kept)
        grantedByteCount = kept
    }

    private func grant(_ needed: Int) throws(BudgetExceeded) {
        let grains = Self.wholeGrains(needed)
        do {
            try budget.take(grains)
            grantedByteCount += grains
        } catch {
            // Less than a grain may be left.
            try budget.take(needed)
            grantedByteCount += needed
        }
    }

    private static func wholeGrains(_ byteCount: Int) -> Int {
        let grain = MemoryLimits.grainByteCount
        return (byteCount + grain - 1) / grain * grain
    }
}

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
