// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// Gathers the records of answers from memory on one event loop, so that those of the same answer are recorded together:
/// one by one they would take a tenth of the time of a small answer.
final class RepeatAccounts {
    /// Records wait for this long at most; a caller that needs them sooner asks for a ``flush()``.
    static let gatheringTime = TimeAmount.milliseconds(20)
    /// This many records wait at most.
    static let countMax = 4_096

    private static let ofLoops = PerEventLoop<NIOLoopBound<RepeatAccounts>>()

    private let eventLoop: any EventLoop
    private var answer: KeptAnswer?
    // Kept beside it, so that to compare takes no reference.
    private var answerID: ObjectIdentifier?
    private var run: UsageRun?
    private var sink: (any UsageRecording)?
    private var isFlushArranged = false

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// The accounts of an event loop; called on it.
    static func of(_ eventLoop: any EventLoop) -> RepeatAccounts {
        ofLoops.value(of: eventLoop) { NIOLoopBound(RepeatAccounts($0), eventLoop: $0) }.value
    }

    /// Takes the record of an answer that the kernel has taken; returns `false`, and takes nothing, if it does not
    /// go with the record before.
    func extend(_ answer: ObjectIdentifier, times: UsageRun.Times) -> Bool {
        guard answer == answerID, run?.append(times) == true else { return false }
        if run?.count == Self.countMax { flush() }
        return true
    }

    /// Takes a record that does not go with the one before.
    func begin(_ answer: KeptAnswer, times: UsageRun.Times, sink: any UsageRecording) {
        flush()
        run = UsageRun(answer.record(at: times))
        self.answer = answer
        answerID = ObjectIdentifier(answer)
        self.sink = sink
        arrangeFlush()
    }

    /// Records what waits.
    func flush() {
        guard let run, let sink else { return }
        self.run = nil
        answer = nil
        answerID = nil
        self.sink = nil
        sink.record(run)
    }

    private func arrangeFlush() {
        guard !isFlushArranged else { return }
        isFlushArranged = true
        eventLoop.assumeIsolated().scheduleTask(in: Self.gatheringTime) { [self] in
            isFlushArranged = false
            flush()
        }
    }
}
