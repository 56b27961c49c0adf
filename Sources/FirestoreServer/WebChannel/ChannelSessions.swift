// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import ServiceLifecycle
import Wire

/// The sessions of all pages, by their ids.
final class ChannelSessions: Sendable {
    private struct State {
        var sessions: [String: ChannelSession] = [:]
        var hasStopped = false
    }

    private let calls: FirestoreCalls
    private let state = NIOLockedValueBox(State())
    private let running = RunningWork()

    init(calls: FirestoreCalls) { self.calls = calls }

    subscript(id: String) -> ChannelSession? { state.withLockedValue { $0.sessions[id] } }

    /// Opens a session.
    ///
    /// - Throws: `CallError`: resource exhausted where there are too many, unavailable when the server stops.
    func open(_ call: ChannelCall, in context: CallContext) throws(CallError) -> ChannelSession {
        let session = ChannelSession(id: Self.makeID())
        let refusal: CallError? = state.withLockedValue { state in
            guard !state.hasStopped else { return .serverStops }
            guard state.sessions.count < ChannelLimits.sessionCountMax else { return .tooManyChannels }
            state.sessions[session.id] = session
            return nil
        }
        if let refusal { throw refusal }
        session.begin(call.handler(for: session, calls: calls, context: context, running: running))
        return session
    }

    /// Ends a session, whose id is unknown from then on.
    func close(_ session: ChannelSession) {
        state.withLockedValue { _ = $0.sessions.removeValue(forKey: session.id) }
        session.end()
        session.settle()
    }

    /// Looks at the sessions now and then, until the server stops: then all end.
    func run(clock: any Clock<Duration>) async {
        await withGracefulShutdownHandler {
            while (try? await clock.sleep(for: ChannelLimits.interval)) != nil { look() }
        } onGracefulShutdown: {
            self.stop()
        }
        stop()
        await running.finished()
    }

    /// Ends the sessions whose pages are gone.
    func look() {
        for session in state.withLockedValue({ Array($0.sessions.values) }) where session.look() { close(session) }
    }

    private func stop() {
        let sessions = state.withLockedValue { state in
            state.hasStopped = true
            return Array(state.sessions.values)
        }
        for session in sessions { session.end(with: .serverStops) }
    }

    /// An id that no other page can guess: 128 random bits.
    private static func makeID() -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var generator = SystemRandomNumberGenerator()
        return String((0..<22).map { _ in characters[Int.random(in: 0..<64, using: &generator)] })
    }
}

extension CallError {
    /// The status with which clients connect again.
    static let serverStops = Self(code: .unavailable, message: "The server is shutting down.")

    fileprivate static let tooManyChannels = Self(
        code: .resourceExhausted,
        message: "There are \(ChannelLimits.sessionCountMax) open channels; no more are opened."
    )
}
