// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCTransport
import Metering
import Wire

/// The methods that the tests call.
struct TestMethods: RegistrableRPCService {
    typealias Texts = StreamingServerRequest<String>
    typealias Answer = StreamingServerResponse<String>

    let calls: TestCalls

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        add("Echo", .unary, to: &router) { request, _ in .init(single: .init(message: try await request.one)) }
        add("Fail", .unary, to: &router) { _, _ in throw Self.failure }
        add("Who", .unary, to: &router, who)
        add("Wait", .unary, to: &router, wait)
        add("Count", .serverStreaming, to: &router, count)
        add("Join", .clientStreaming, to: &router, join)
        add("Chat", .bidirectionalStreaming, to: &router, chat)
        add("Flood", .serverStreaming, to: &router, flood)
        add("Slurp", .clientStreaming, to: &router, slurp)
        add("Listen", .bidirectionalStreaming, to: &router, listen)
        add("FailLate", .serverStreaming, to: &router) { _, _ in
            Answer { writer in
                try await writer.write("one")
                throw Self.failure
            }
        }
    }

    private static let failure = RPCError(
        code: .notFound,
        message: "nothing: ☃ 100%\n",
        metadata: ["grpc-status-details-bin": .binary([0, 1, 254]), "x-why": "gone"]
    )

    private func add(
        _ name: String,
        _ type: MethodDescriptor.RPCType,
        to router: inout RPCRouter<some ServerTransport>,
        _ handler: @escaping @Sendable (Texts, ServerContext) async throws -> Answer
    ) {
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "test.Test", method: name, type: type),
            deserializer: TextCoding(),
            serializer: TextCoding(),
            handler: handler
        )
    }

    private func call(of context: ServerContext) throws -> GRPCCall {
        guard let call = context.call else { throw RPCError(code: .internalError, message: "the call is not metered") }
        return call
    }

    /// Describes the caller, the deadline and the metadata of the call.
    private func who(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        let call = try call(of: context)
        call.exchange.attribute(
            to: UsageAttribution(service: .firestore, operation: "firestore.who"),
            billing: .firestore(BilledUsage(documentReads: 1))
        )
        let binary = request.metadata[binaryValues: "x-bytes-bin"].map { "\($0)" }
        let texts = request.metadata[stringValues: "x-text"].map { $0 }
        let words =
            [call.caller.isAdmin ? "admin" : call.caller.userID ?? "anonymous", "\(call.deadline != nil)"]
            + [context.remotePeer.hasPrefix("ipv4:127.0.0.1:") ? "local" : context.remotePeer] + texts + binary
        return Answer(single: ServerResponse(message: words.joined(separator: " ")))
    }

    /// Waits until the call is cancelled.
    private func wait(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        try? await context.cancellation.cancelled
        calls.noteCancellation()
        throw RPCError(code: .cancelled, message: "")
    }

    /// As many numbers as the request says.
    private func count(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        let count = Int(try await request.one) ?? 0
        return Answer(metadata: ["x-count": "\(count)"]) { writer in
            for number in 0..<count { try await writer.write("\(number)") }
            return ["x-end": "done", "x-end-bin": .binary([7])]
        }
    }

    private func join(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        var joined = ""
        for try await text in request.messages { joined += text }
        return Answer(single: ServerResponse(message: joined))
    }

    private func chat(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        Answer { writer in
            for try await text in request.messages { try await writer.write(text) }
            return [:]
        }
    }

    /// 1,000 messages of 64 KiB.
    private func flood(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        Answer { [calls] writer in
            let text = String(repeating: "x", count: 64 << 10)
            for _ in 0..<1_000 {
                try await writer.write(text)
                calls.noteWrite()
            }
            return [:]
        }
    }

    /// Reads nothing until the call is cancelled, then reports what can still be read.
    private func slurp(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        try? await context.cancellation.cancelled
        do {
            for try await _ in request.messages { calls.noteRead() }
        } catch {
            calls.noteCancellation()
        }
        throw RPCError(code: .cancelled, message: "")
    }

    /// For each message answers it, bills a read and files what has passed; ends when the call is cancelled.
    private func listen(_ request: Texts, _ context: ServerContext) async throws -> Answer {
        let call = try call(of: context)
        call.exchange.attribute(
            to: UsageAttribution(service: .firestore, operation: "firestore.listen"),
            billing: .firestore(.zero)
        )
        return Answer { writer in
            for try await text in request.messages {
                try await writer.write(text)
                call.exchange.flush(billed: BilledUsage(documentReads: 1))
                if text == "end" { break }
            }
            return [:]
        }
    }
}
