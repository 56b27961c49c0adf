// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Returns the time since it was made, by any clock.
struct ElapsedClock: Sendable {
    /// The time since this clock was made.
    let now: @Sendable () -> Duration
    /// Returns once that much time has passed since this clock was made, or throws when cancelled.
    let sleepUntil: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        self.now = { start.duration(to: clock.now) }
        self.sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
