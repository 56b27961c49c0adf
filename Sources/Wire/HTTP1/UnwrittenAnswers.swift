// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The answers of a connection that have been handed over and not yet wholly been taken by the kernel.
final class UnwrittenAnswers {
    private(set) var count = 0
    private var waiting: [() -> Void] = []

    func began() { count += 1 }

    func ended() {
        count -= 1
        if count == 0 { waitNoLonger() }
    }

    /// Does something when there are none.
    func whenNone(_ body: @escaping () -> Void) { waiting.append(body) }

    /// Does now what waits.
    func waitNoLonger() {
        let waiting = waiting
        self.waiting = []
        for body in waiting { body() }
    }
}
