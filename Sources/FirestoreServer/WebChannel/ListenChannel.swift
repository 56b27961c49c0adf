// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import NIOConcurrencyHelpers
import Wire

/// A listener of a page.
///
/// No task waits for it: a task that waits holds memory, and most pages wait most of the time.
///
///     message ──▶ ListenCall ──▶ waken ──▶ executor ──▶ answers ──▶ session
final class ListenChannel: ChannelHandler, BlockingWork {
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
        if isFirst { schedule() }
    }

    func close() { call.close() }

    private func schedule() {
        running.began()
        BlockingExecutor.shared.run(self)
    }

    /// Hands on the answers that there are; comes again when there are more, and room for them.
    func performBlocking() {
        defer { running.ended() }
        do {
            while session.hasRoom(orCall: { [self] in schedule() }) {
                guard let answers = try call.pull() else { return session.end() }
                if !answers.isEmpty { session.append(try answers.json(), usages: answers.usages) }
                if answers.isLast, call.park({ [self] in schedule() }) { return }
            }
        } catch {
            session.end(with: CallError(anything: error))
        }
    }
}
