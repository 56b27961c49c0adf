// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import Testing

@testable import LocalFirebase

@Suite struct `Threads of imports and exports` {
    private struct Failure: Error {}

    @Test func `work has its result or its error`() async throws {
        #expect(try await TransferThread.run { 7 } == 7)
        await #expect(throws: Failure.self) { try await TransferThread.answer { throw Failure() } }
    }

    @Test func `more of it than there are cores waits at a time`() async throws {
        let lock = ConditionLock(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    try await TransferThread.run {
                        lock.lock(whenValue: number)
                        lock.unlock(withValue: number + 1)
                        // All come here before the first may end.
                        lock.lock(whenValue: 64)
                        lock.unlock()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(lock.value == 64)
    }
}
