// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How long the rest of a replay takes, at the pace that it has had.
package struct ReplayPace: Sendable {
    /// Before that, an estimate says nothing.
    private static let warmUp = Duration.seconds(2)

    private var subject = ""
    private var start = ContinuousClock.Instant.now

    /// Creates a pace of no replay yet.
    package init() {}

    /// How far a replay has come at a time: `5 strategies: 35 %, about 40 s left`.
    package mutating func text(of progress: ReplayProgress, at now: ContinuousClock.Instant) -> String {
        if progress.subject != subject { (subject, start) = (progress.subject, now) }
        let percent = 100 * progress.done / max(1, progress.total)
        let elapsed = now - start
        guard progress.done > 0, elapsed >= Self.warmUp else { return "\(subject): \(percent) %" }
        let seconds = (elapsed * (progress.total - progress.done) / progress.done).components.seconds
        let left = seconds < 90 ? "\(seconds) s" : "\((seconds + 30) / 60) minutes"
        return "\(subject): \(percent) %, about \(left) left"
    }
}
