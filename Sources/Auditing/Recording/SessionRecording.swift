// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import SessionLog

/// Records a session: users walk the feed one after the other through FeedClient, which writes their views.
package struct SessionRecording: Sendable {
    private let path: String
    private let header: SessionHeader
    private let clock: VirtualClock
    private let walkSeed: UInt64

    /// Creates a recording into a log.
    ///
    /// - Parameters:
    ///   - path: The log; the emulator may write its requests to the same file.
    ///   - header: The log's first line, which names the feed. The first process to open the log writes it, so the emulator
    ///     must be given the same.
    ///   - clock: The time that passes between views; the emulator should have the same.
    ///   - walkSeed: What the users' choices are drawn from.
    package init(path: String, header: SessionHeader, clock: VirtualClock, walkSeed: UInt64) {
        self.path = path
        self.header = header
        self.clock = clock
        self.walkSeed = walkSeed
    }

    /// Lets this many users walk the feed of the emulator behind a console.
    ///
    /// The app that is recorded is the origin's first version, which loads every image and keeps none.
    package func record(userCount: Int, console: ConsoleClient) async throws {
        guard let feed = header.feed else { throw AuditError.noFeed }
        let workspace = ReplayWorkspace(
            strategy: Strategy.baseline,
            endpoint: try await console.endpoint(of: feed),
            pageSize: header.pageSize ?? ReplayPaging.pageSizeDefault
        )
        let writer = try SessionLogWriter(path, header: header)
        defer { writer.close() }
        guard writer.header == header else { throw AuditError.otherSession(path) }
        for number in 1...userCount {
            try await walk(number, in: workspace, to: writer)
        }
    }

    private func walk(_ number: Int, in workspace: ReplayWorkspace, to writer: SessionLogWriter) async throws {
        let name = "u\(number)"
        let age = Duration.microseconds(clock.microseconds() - header.createdAt.microseconds)
        let recorder = ViewRecorder(writer: writer, client: name, age: age, clock: clock)
        let client = try workspace.makeClient(name, startingAt: clock.microseconds(), recorder: recorder)
        var walk = FeedWalk(session: client.session, seed: walkSeed &+ UInt64(number), clock: clock)
        do {
            try await walk.walk()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuditError.walkFailed(client: name, error: error)
        }
        guard recorder.failedViewCount == 0 else {
            throw AuditError.viewsLost(recorder.failedViewCount, path: path)
        }
    }
}
