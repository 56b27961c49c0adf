// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel
import NIOConcurrencyHelpers
import Synchronization

/// Shows how requests are judged: first the last ones as one JSON array, then each pass as an object.
///
/// While no listener is there, the inputs of the last requests are kept, and nothing is evaluated or written for them. While
/// it is not attended, not even these.
package final class RulesFeed: Sendable {
    /// Messages of the array; the official emulator's number (1.19.9, 2026-11).
    static let messageCountMax = 50
    /// Bytes of the requests that are kept, by an estimate; older ones are dropped.
    private static let keptByteCountMax = 16 << 20

    /// Takes messages; it must neither wait nor call the feed.
    package typealias Listener = @Sendable (_ message: String) -> Void

    private struct State {
        /// Each has a message at least.
        var kept: [FeedRequest] = []
        var keptByteCount = 0
        var listeners: [Int: Listener] = [:]
        var listenerCount = 0
        var random = SystemRandomNumberGenerator()
    }

    private let state = NIOLockedValueBox(State())
    /// The end of the attention, in microseconds since the Unix epoch.
    private let attention: Synchronization.Atomic<Int64>
    private let now: @Sendable () -> Timestamp

    /// Creates a feed without messages.
    ///
    /// - Parameters:
    ///   - isAlwaysAttended: Whether requests are kept from the start on; else only after ``attend(for:)``.
    ///   - now: Gives the times of messages.
    package init(isAlwaysAttended: Bool = true, now: @escaping @Sendable () -> Timestamp) {
        attention = Synchronization.Atomic(isAlwaysAttended ? .max : 0)
        self.now = now
    }

    /// Whether requests are kept and shown.
    package var isAttended: Bool {
        let end = attention.load(ordering: .relaxed)
        // Mostly without looking at the clock.
        return end > 0 && (end == .max || end > now().microseconds)
    }

    /// Has requests kept for a while, and returns the last messages, as one JSON array.
    ///
    /// - Parameter microseconds: The while.
    /// - Returns: The messages of the requests that were kept so far.
    package func attend(for microseconds: Int64) -> String {
        if attention.load(ordering: .relaxed) != .max {
            attention.store(now().microseconds + microseconds, ordering: .relaxed)
        }
        return state.withLockedValue { "[\(Self.lastMessages(of: $0.kept).joined(separator: ","))]" }
    }

    /// The part of the feed that is about one project.
    package func project(_ name: String) -> FedProject { FedProject(feed: self, name: name) }

    /// Sends the last messages to a listener, and then each that comes.
    ///
    /// - Parameter listener: Takes them, one after another.
    /// - Returns: Ends that.
    package func listen(_ listener: @escaping Listener) -> @Sendable () -> Void {
        let number = state.withLockedValue { state in
            listener("[\(Self.lastMessages(of: state.kept).joined(separator: ","))]")
            state.listenerCount += 1
            state.listeners[state.listenerCount] = listener
            return state.listenerCount
        }
        return { [self] in _ = state.withLockedValue { $0.listeners.removeValue(forKey: number) } }
    }

    /// The lock is held while messages are made: they come in the order in which the requests are kept.
    fileprivate func add(_ judgement: FeedRequest.Judgement, by rules: CompiledRules, of project: String) {
        state.withLockedValue { state in
            let ids = MessageIDs(&state.random)
            let request = FeedRequest(judgement: judgement, rules: rules, project: project, time: now(), ids: ids)
            Self.keep(request, in: &state)
            guard !state.listeners.isEmpty else { return }
            for message in request.messages {
                let text = message.text
                for listener in state.listeners.values { listener(text) }
            }
        }
    }

    private static func keep(_ request: FeedRequest, in state: inout State) {
        state.kept.append(request)
        state.keptByteCount += request.byteCount
        while state.kept.count > messageCountMax || state.keptByteCount > keptByteCountMax {
            state.keptByteCount -= state.kept.removeFirst().byteCount
        }
    }

    private static func lastMessages(of requests: [FeedRequest]) -> [String] {
        var messages: [FeedMessage] = []
        for request in requests.reversed() where messages.count < messageCountMax {
            messages.insert(contentsOf: request.messages.suffix(messageCountMax - messages.count), at: 0)
        }
        return messages.map(\.text)
    }
}

/// A project whose requests a feed shows.
package struct FedProject: Sendable {
    fileprivate let feed: RulesFeed
    fileprivate let name: String

    /// Whether requests are shown.
    package var isAttended: Bool { feed.isAttended }

    /// Shows a request.
    func add(_ judgement: FeedRequest.Judgement, by rules: CompiledRules) {
        feed.add(judgement, by: rules, of: name)
    }
}
