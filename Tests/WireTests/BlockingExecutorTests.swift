// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import Testing
import Wire

@Suite(.timeLimit(.minutes(5))) struct BlockingExecutorTests {
    @Test func `runs every task, also many more than threads`() async {
        let executor = BlockingExecutor(threadCount: 2)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...1_000 {
                group.addTask(executorPreference: executor) {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 500_500)
    }

    @Test func `runs tasks beside one that blocks`() async {
        let executor = BlockingExecutor(threadCount: 2)
        let gate = ConditionLock(value: 0)
        async let blocked: Void = Task(executorPreference: executor) { gate.wait(for: 1) }.value
        await Task(executorPreference: executor) { gate.open(1) }.value
        await blocked
    }
}

extension ConditionLock<Int> {
    /// Blocks the thread until the gate has been opened.
    fileprivate func wait(for value: Int) {
        lock(whenValue: value)
        unlock()
    }

    fileprivate func open(_ value: Int) {
        lock()
        unlock(withValue: value)
    }
}
