// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import Metering
import SwiftProtobuf
import Wire

/// A call that pages make over a channel; the raw value is its name in paths.
enum ChannelCall: String {
    case listen = "Listen"
    case write = "Write"

    /// The call in the path of a request.
    init?(path: Substring) {
        guard path.hasPrefix(Self.prefix), path.hasSuffix(Self.suffix) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)))
    }

    /// The operation's name in usage records.
    var operation: String { rawValue.lowercased() }

    private static let prefix = "/google.firestore.v1.Firestore/"
    private static let suffix = "/channel"

    /// Answers the messages of a session until it ends; a failure of the call ends it.
    ///
    /// Reads the store on the thread it runs on: run it where blocking is allowed.
    func run(in session: ChannelSession, calls: FirestoreCalls, context: CallContext) async {
        do {
            switch self {
            case .listen: try await Self.listen(in: session, calls: calls, context: context)
            case .write: try await Self.write(in: session, calls: calls, context: context)
            }
            session.end()
        } catch {
            session.end(with: CallError(anything: error))
        }
        // Those that came too late: their requests are answered.
        for await _ in session.messages {}
    }

    private static func listen(in session: ChannelSession, calls: FirestoreCalls, context: CallContext) async throws {
        let call = ListenCall(calls: calls, context: context)
        defer { call.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let answers = try await call.next() {
                    try await session.send(try answers.responses.map(json), usages: answers.usages)
                }
            }
            group.addTask {
                for await message in session.messages {
                    defer { message.delivery.settle(context.takeUsage()) }
                    try call.take(try ProtoJSON.decode(message.json, as: Proto.ListenRequest.self))
                }
                call.close()
            }
            // Not `waitForAll`: it would wait for the one although the other has failed.
            for try await _ in group {}
        }
    }

    private static func write(in session: ChannelSession, calls: FirestoreCalls, context: CallContext) async throws {
        var stream = WriteStream(calls: calls, id: calls.makeDocumentID())
        for await message in session.messages {
            defer { message.delivery.settle(context.takeUsage()) }
            let request = try ProtoJSON.decode(message.json, as: Proto.WriteRequest.self)
            let response = try await stream.answer(request, in: context)
            // The writes are billed to the request that brought them; these are the bytes of the answer.
            var usage = context.usage
            usage.billed = .zero
            try await session.send([try json(response)], usages: [usage])
        }
    }

    private static func json(_ message: some Message) throws -> [UInt8] {
        try ProtoJSON.element(message, in: AnswerForm(isIndented: false))
    }
}
