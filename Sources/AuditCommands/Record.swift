// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import FeedClient
import Foundation
import LocalFirebase
import SessionLog

/// `firemeter audit record`.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record a session of simulated users who walk a feed.",
        discussion: """
            The users open the feed, scroll, open posts, switch tabs and come back later, in virtual time. Their views \
            and the requests that an app without any cache makes for them are written to the log. Each request is made once, \
            over HTTP, and noted for every user who makes it. The same arguments give the same views.

            Example:
              firemeter audit record fixtures/feed/feed.json --output fixtures/session.log
            """
    )

    @Argument(help: "The feed: a feed.json or a directory of images laid out as user/feed/n.")
    var dataSet: String
    @Option(help: ArgumentHelp("The session log to write; it must not exist yet.", valueName: "file"))
    var output: String
    @Option(help: "The number of users.")
    var users = 5
    @Option(help: "What the users' choices are drawn from.")
    var walkSeed: UInt64 = 1
    @Option(help: "The posts of a page.")
    var pageSize = 8
    @Option(help: ArgumentHelp("When the session begins.", valueName: "RFC 3339 time"))
    var startingAt = "2026-11-20T09:00:00Z"

    func validate() throws {
        guard (1...100_000).contains(users) else { throw ValidationError("--users must be between 1 and 100000.") }
        guard (1...FeedRepository.pageSizeMax).contains(pageSize) else {
            throw ValidationError("--page-size must be between 1 and \(FeedRepository.pageSizeMax).")
        }
        guard LogTime(startingAt) != nil else {
            throw ValidationError("--starting-at is no RFC 3339 time such as 2026-11-20T09:00:00Z.")
        }
        guard !FileManager.default.fileExists(atPath: output) else {
            throw ValidationError("\(output) exists already; choose another file or remove it.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            guard let start = LogTime(startingAt) else { preconditionFailure("validated above") }
            let clock = VirtualClock(startingAt: start.microseconds)
            let configuration = configuration(clock)
            let header = try SessionHeader(recordedBy: configuration)
            let (tour, requests) = try await recordedTour(header, configuration, clock)
            defer { try? FileManager.default.removeItem(atPath: requests) }
            let recording = try SessionRecording(header: header, tour: tour, requests: requests, walkSeed: walkSeed)
            try WholeSession.write(to: output) { path in
                try recording.record(userCount: users, to: path, onProgress: Terminal.replayProgress)
            }
            Terminal.endProgress()
        }
    }

    /// Has an firemeter serve a tour of the feed, and record its requests.
    private func recordedTour(
        _ header: SessionHeader,
        _ configuration: EmulatorConfiguration,
        _ clock: VirtualClock
    ) async throws -> (FeedTour, requests: String) {
        let requests = FileManager.default.temporaryDirectory
            .appendingPathComponent("firemeter-tour-\(UUID().uuidString).log").path
        var configuration = configuration
        configuration.recordPath = requests
        let emulator = Emulator(configuration, onSeedProgress: Terminal.seedProgress, onSeeded: Terminal.seeded)
        do {
            let tour = try await emulator.run(stoppingOn: Emulator.terminationSignals) { addresses in
                // As users' views have, most of whose answers bear a time in milliseconds.
                clock.advance(by: .milliseconds(1))
                return try await FeedTour(of: header, console: ConsoleClient(address: addresses.console))
            }
            return (tour, requests)
        } catch {
            try? FileManager.default.removeItem(atPath: requests)
            throw error
        }
    }

    private func configuration(_ clock: VirtualClock) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(now: clock.microseconds, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.seedPath = dataSet
        configuration.recordPath = output
        configuration.recordedPageSize = pageSize
        return configuration
    }
}
