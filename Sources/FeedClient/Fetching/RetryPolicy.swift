// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How often, and after which waits, a load that failed for a passing reason is tried again.
///
/// The waits grow twofold and are drawn evenly between nothing and their bound ("full jitter"), so that clients that
/// failed together do not come back together.
public struct RetryPolicy: Sendable, Hashable {
    /// The statuses that may pass: those of Google's "Retry strategy" for Cloud Storage (2026-05).
    static let transientStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// The most requests for one image, the first included.
    public var attemptCountMax: Int
    /// The bound of the first wait.
    public var firstDelay: Duration
    /// The bound of every wait; a server that asks for a longer one is not asked again.
    public var delayMax: Duration

    /// Creates a policy: three attempts, the second within 0.25 s, the third within half a second of that.
    public init(
        attemptCountMax: Int = 3,
        firstDelay: Duration = .milliseconds(250),
        delayMax: Duration = .seconds(8)
    ) {
        precondition(attemptCountMax > 0, "the first attempt counts")
        self.attemptCountMax = attemptCountMax
        self.firstDelay = firstDelay
        self.delayMax = delayMax
    }

    /// No second attempt.
    public static let never = RetryPolicy(attemptCountMax: 1)

    /// The wait before the next attempt, or `nil` for none; `unitInterval` is a random number from 0 to 1.
    func delay(afterAttempt attempt: Int, serverAsksFor: Duration?, unitInterval: Double) -> Duration? {
        guard attempt < attemptCountMax, serverAsksFor ?? .zero <= delayMax else { return nil }
        let bound = min(firstDelay * (1 << min(attempt - 1, 20)), delayMax)
        return max(bound * unitInterval, serverAsksFor ?? .zero)
    }
}
