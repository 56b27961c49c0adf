// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore

/// How a direct method answers one call, step by step; a step makes no more than a client is sent at once.
struct DirectSteps: Sendable {
    /// The next action.
    enum Step {
        case respond(MessageReader.Message)
        case produce(Producer)
        case wait(@Sendable () async throws -> GRPCBytes)
    }

    /// The output of a step, for the event loop to write.
    struct Output {
        /// Messages, one behind the other.
        var messages: ByteBuffer?
        /// Set when no more will come.
        var end: (status: Status, metadata: Metadata)?
        /// The rest, unless that was the end.
        var next: Step?
    }

    /// Makes the messages of a stream.
    // Unchecked because a call hands it from one thread to the next under a lock, and keeps it nowhere else.
    final class Producer: @unchecked Sendable {
        fileprivate let next: () throws -> GRPCBytes?

        init(_ next: @escaping () throws -> GRPCBytes?) {
            self.next = next
        }
    }

    let method: DirectMethod
    let call: GRPCCall
    let codec: MessageCodec

    /// Takes a step; one that waits is left as it is.
    func take(_ step: Step) -> Output {
        var output = Output()
        do {
            let next = try take(step, into: &output)
            if next == nil { output.end = Self.success }
            output.next = next
        } catch {
            output.end = Self.failure(error)
        }
        return output
    }

    private func take(_ step: Step, into output: inout Output) throws -> Step? {
        switch step {
        case .respond(let message):
            let bytes = try codec.bytes(of: message)
            switch try method.handler(bytes, call) {
            case .message(let answer):
                output.messages = try codec.frame(of: answer)
                return nil
            case .later(let answer):
                return .wait(bytes.held(during: answer))
            case .messages(let next):
                return try produce(Producer(next), into: &output)
            }
        case .produce(let producer):
            return try produce(producer, into: &output)
        case .wait:
            return step
        }
    }

    private func produce(_ producer: Producer, into output: inout Output) throws -> Step? {
        guard let first = try producer.next() else { return nil }
        output.messages = try codec.frame(of: first)
        while (output.messages?.readableBytes ?? 0) < GRPCLimits.outboundByteCountHigh {
            guard let bytes = try producer.next() else { return nil }
            output.messages?.writeImmutableBuffer(try codec.frame(of: bytes))
        }
        return .produce(producer)
    }

    /// Waits for an answer.
    func wait(for answer: @Sendable () async throws -> GRPCBytes) async -> Output {
        do {
            return Output(messages: try codec.frame(of: await answer()), end: Self.success)
        } catch {
            return Output(end: Self.failure(error))
        }
    }

    private static let success = (Status(code: .ok, message: ""), Metadata())

    private static func failure(_ error: any Error) -> (Status, Metadata) {
        let error = RPCError(thrown: error)
        return (Status(code: Status.Code(error.code), message: error.message), error.metadata)
    }
}
