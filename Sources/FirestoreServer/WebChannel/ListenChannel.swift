// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import NIOConcurrencyHelpers
import Wire

/// A listener of a page.
///
/// No task waits for it: a task that waits holds memory, and most pages wait most of the time. What cannot block is answered on the
/// event loop that writes it: what goes from thread to thread for each page takes longer than the answer.
///
///     message ──▶ ListenCall ──▶ wake ──▶ event loop, or executor ──▶ answers ──▶ session
final class ListenChannel: ChannelHandler, ListenWaiter, PushingWork, BlockingWork {
    private struct State {
        var hasBegun = false
        /// The queue of the back channel.
        var queue: PushQueue?
    }

    private let call: ListenCall
    private let context: CallContext
    private let running: RunningWork
    private let state = NIOLockedValueBox(State())
    /// Lets go of the channel when it ends.
    private let session: ChannelSession

    init(_ session: ChannelSession, calls: FirestoreCalls, context: CallContext, running: RunningWork) {
        self.session = session
        self.context = context
        self.running = running
        call = ListenCall(calls: calls, context: context)
    }

    func take(_ json: [UInt8], of delivery: ChannelSession.Delivery) {
        defer { delivery.settle(context.takeUsage()) }
        do {
            try call.take(try ProtoJSON.decode(json, as: Proto.ListenRequest.self))
        } catch {
            session.end(with: CallError(anything: error))
            return
        }
        let isFirst = state.withLockedValue { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { runBlocking() }
    }

    func answers(goThrough queue: PushQueue) { state.withLockedValue { $0.queue = queue } }

    func close() { call.close() }

    // MARK: Answering

    /// Has what there is handed on.
    func wake() {
        if let queue = state.withLockedValue(\.queue) { queue.append(self) } else { runBlocking() }
    }

    private func runBlocking() {
        running.began()
        BlockingExecutor.shared.run(self)
    }

    func performPushing() { answer(mayBlock: false) }

    func performBlocking() {
        defer { running.ended() }
        answer(mayBlock: true)
    }

    /// Hands on the answers that there are; comes again when there are more, and room for them.
    ///
    /// There is room for answers when it is called.
    private func answer(mayBlock: Bool) {
        do {
            while let answers = try call.pull(mayBlock: mayBlock) {
                if !answers.isEmpty {
                    let hasRoom = session.append(try answers.json(), usages: answers.usages) { [self] in wake() }
                    if !hasRoom { return }
                }
                switch answers.continuation {
                case .atOnce: break
                case .blocking: return runBlocking()
                case .whenWoken: if call.park(self) { return }
                }
            }
            session.end()
        } catch {
            session.end(with: CallError(anything: error))
        }
    }
}
