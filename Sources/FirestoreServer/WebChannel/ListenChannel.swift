// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import NIOConcurrencyHelpers
import Wire

/// A listener of a page.
///
/// No task waits for it: a task that waits holds memory, and most pages wait most of the time.
///
///     message ──▶ ListenCall ──▶ wake ──▶ executor ──▶ answers ──▶ session
final class ListenChannel: ChannelHandler, ListenWaiter, BlockingWork {
    private let call: ListenCall
    private let context: CallContext
    private let running: RunningWork
    private let hasBegun = NIOLockedValueBox(false)
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
        let isFirst = hasBegun.withLockedValue { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { wake() }
    }

    func close() { call.close() }

    /// Has the executor hand on what there is.
    func wake() {
        running.began()
        BlockingExecutor.shared.run(self)
    }

    /// Hands on the answers that there are; comes again when there are more, and room for them.
    ///
    /// There is room for answers when it is called.
    func performBlocking() {
        defer { running.ended() }
        do {
            while let answers = try call.pull() {
                if !answers.isEmpty {
                    let hasRoom = session.append(try answers.json(), usages: answers.usages) { [self] in wake() }
                    if !hasRoom { return }
                }
                if answers.isLast, call.park(self) { return }
            }
            session.end()
        } catch {
            session.end(with: CallError(anything: error))
        }
    }
}
