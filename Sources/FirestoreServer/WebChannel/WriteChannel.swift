// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import Metering
import Wire

/// A stream of a page's writes, a commit for each message.
final class WriteChannel: ChannelHandler {
    private struct Message {
        let json: [UInt8]
        let delivery: ChannelSession.Delivery
    }

    private let messages = AsyncStream.makeStream(of: Message.self)

    init(_ session: ChannelSession, calls: FirestoreCalls, context: CallContext, running: RunningWork) {
        running.began()
        Task(executorPreference: BlockingExecutor.shared) { [stream = messages.stream] in
            await Self.answer(stream, in: session, calls: calls, context: context)
            running.ended()
        }
    }

    func take(_ json: [UInt8], of delivery: ChannelSession.Delivery) {
        messages.continuation.yield(Message(json: json, delivery: delivery))
    }

    /// Writes may wait for the disk, so they are answered where that is allowed.
    func answers(goThrough queue: PushQueue) {}

    func close() { messages.continuation.finish() }

    private static func answer(
        _ messages: AsyncStream<Message>,
        in session: ChannelSession,
        calls: FirestoreCalls,
        context: CallContext
    ) async {
        var stream = WriteStream(calls: calls, id: calls.makeDocumentID())
        for await message in messages where !session.hasEnded {
            guard session.hasRoom else { return session.end(with: .answersUnacknowledged) }
            do {
                defer { message.delivery.settle(context.takeUsage()) }
                let request = try ProtoJSON.decode(message.json, as: Proto.WriteRequest.self)
                let response = try await stream.answer(request, in: context)
                // The writes are billed to the request that brought them; these are the bytes of the answer.
                var usage = context.usage
                usage.billed = .zero
                session.append([try ProtoJSON.compact(response)], usages: [usage])
            } catch {
                session.end(with: CallError(anything: error))
            }
        }
    }
}

extension CallError {
    fileprivate static let answersUnacknowledged = Self(
        code: .resourceExhausted,
        message: "The page acknowledges no answers, and \(ChannelLimits.outboundCountMax) wait for it."
    )
}
