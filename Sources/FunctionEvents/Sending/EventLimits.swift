// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The bounds of what waits and of what is sent at once.
package struct EventLimits: Sendable {
    /// The largest number of events that wait for one destination.
    package var waitingCountMax = 20_000
    /// The memory of the events that wait for one destination.
    package var waitingByteCountMax = 64 << 20
    /// The events that are sent to the Functions emulator at once.
    ///
    /// It runs as many functions at once itself (firebase-tools 15.28.1, `src/emulator/workQueue.ts`).
    package var functionsParallelMax = 50
    /// The events that are sent to one function at once.
    var pace = EventPace()
    /// The events that are sent to each URL at once.
    package var subscriptionParallelMax = 8
    /// The time until an event is answered: 60 seconds, in which functions end by default, and the start of one.
    ///
    /// The answer of a function that takes longer is not awaited; the function itself continues. A longer time would
    /// let a Functions emulator that cannot start a function, and then never answers, hold up all others.
    package var timeout = Duration.seconds(90)

    /// Creates the bounds that are in force where there are no others.
    package init() {}
}

/// How many events are sent to one function of the Functions emulator at once: one at first, more where it takes long.
///
/// For each event that finds no process of its function idle, the Functions emulator starts a process (firebase-tools
/// 15.28.1, `src/emulator/functionsRuntimeWorker.ts`), which takes a second of a processor or more. Fifty at once do
/// not start within its 30 seconds on a small machine, and it then answers none of their events. A quick function would
/// not be done sooner with more.
struct EventPace: Sendable {
    /// The most events at once.
    var parallelMax = 8
    /// An event that is answered sooner is not a reason to send more at once.
    var quickMicroseconds: Int64 = 100_000
    /// For how long an event that is not answered holds up others: a function may wait for another of its runs.
    var patience = Duration.seconds(5)
}

/// When an event is sent again.
package struct EventRetries: Sendable {
    let attemptCountMax: Int
    let firstPause: Duration

    /// The Functions emulator gets an event once, as from the official emulators.
    package static let never = Self(attemptCountMax: 1, firstPause: .zero)
    /// Pauses of 0.25, 1, 4 and 16 seconds.
    package static let fewTimes = Self(attemptCountMax: 5, firstPause: .milliseconds(250))

    /// The pause after a number of attempts that failed; `nil` when no other follows.
    func pause(afterAttempts count: Int) -> Duration? {
        guard count < attemptCountMax else { return nil }
        return firstPause * (1 << (2 * (count - 1)))
    }

    /// Whether the same event may be answered otherwise later.
    static func isTemporary(_ status: Int) -> Bool { status == 408 || status == 429 || (500..<600).contains(status) }
}

/// The time, for events and for the pauses before they are sent again.
package struct EventClock: Sendable {
    /// Microseconds since the Unix epoch.
    let microseconds: @Sendable () -> Int64
    let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - microseconds: Returns the time in microseconds since the Unix epoch.
    ///   - sleep: Returns after a time.
    package init(
        microseconds: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.microseconds, self.sleep) = (microseconds, sleep)
    }
}
