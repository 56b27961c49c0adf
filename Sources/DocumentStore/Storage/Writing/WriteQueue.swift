// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOConcurrencyHelpers

/// Lets callers that come at the same time share one transaction.
///
/// The first one leads: it runs all that wait, its own among them, and then passes the lead on. The others sleep
/// until theirs is done.
final class WriteQueue: Sendable {
    /// How much goes into one transaction; a job larger than that goes alone.
    private static let sizeMax = 1_000
    private static let jobCountMax = 128

    private struct State {
        var waiting: [WriteJob] = []
        var isLed = false
    }

    private let state = NIOLockedValueBox(State())

    /// Whether a job is being run.
    var isBusy: Bool { state.withLockedValue { $0.isLed } }

    /// Returns once the job is done; `perform` runs it, together with others, on this thread or another.
    ///
    /// `queued` is called when the job has its place: jobs that come later are done later.
    func run(_ job: WriteJob, queued: () -> Void = {}, perform: ([WriteJob]) -> Void) throws {
        run(CollectionOfOne(job), queued: queued, perform: perform)
        try job.outcome?.get()
    }

    /// Returns once all jobs are done, which have places one behind the other.
    func run(
        _ jobs: some RandomAccessCollection<WriteJob>,
        queued: () -> Void,
        perform: ([WriteJob]) -> Void
    ) {
        // Nothing would give the lead back.
        guard !jobs.isEmpty else { return queued() }
        var leads = state.withLockedValue { state in
            state.waiting += jobs
            defer { state.isLed = true }
            return !state.isLed
        }
        queued()
        for job in jobs {
            if !leads { job.turn.wait() }
            leads = false
            if job.outcome == nil { lead(with: job, perform) }
        }
    }

    /// Runs the jobs at the head of the queue, the leader's own first, and leaves those that came in the meantime to
    /// the first of them: the leader may be an event loop, which others wait for.
    private func lead(with job: WriteJob, _ perform: ([WriteJob]) -> Void) {
        let jobs = state.withLockedValue { Self.takeJobs(from: &$0.waiting) }
        perform(jobs)
        let next = state.withLockedValue { state in
            state.isLed = !state.waiting.isEmpty
            return state.waiting.first
        }
        for other in jobs where other !== job {
            other.turn.signal()
        }
        next?.turn.signal()
    }

    private static func takeJobs(from waiting: inout [WriteJob]) -> [WriteJob] {
        var count = 0
        var size = 0
        for job in waiting.prefix(jobCountMax) {
            size += job.size
            guard count == 0 || (size <= sizeMax && !job.isAlone && !waiting[0].isAlone) else { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting[..<count])
    }
}
