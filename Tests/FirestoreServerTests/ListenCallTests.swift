// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import GRPCCore
import Metering
import SwiftProtobuf
import Testing
import Wire

@testable import FirestoreServer

/// Listen calls over gRPC, without a connection.
@Suite(.timeLimit(.minutes(5)))
struct ListenCallTests {
    private let store: SQLiteDocumentStore
    private let calls: FirestoreCalls

    init() throws {
        store = try SQLiteDocumentStore(location: .memory) { Timestamp(seconds: 1_795_222_149) }
        calls = FirestoreCalls(
            store: store,
            transactions: TransactionManager(store: store),
            listening: try ListenHub(store: store)
        )
    }

    /// Answers requests of a client that never ends its side, unless it fails.
    private func listen(_ requests: [Proto.ListenRequest], clientFails: Bool = false) async throws {
        let (messages, client) = AsyncThrowingStream<Proto.ListenRequest, any Error>.makeStream()
        for request in requests { client.yield(request) }
        if clientFails { client.finish(throwing: RPCError(code: .internalError, message: "")) }
        try await FirestoreGRPC(calls: calls).listen(
            RPCAsyncSequence(wrapping: messages),
            context: calls.context(CallUsage(method: "Listen"), caller: .anonymous),
            exchange: nil,
            writer: RPCWriter(wrapping: Unread())
        )
        client.finish()
    }

    /// Requests of which the last is refused.
    static let refused: [(name: String, requests: [Proto.ListenRequest])] = [
        ("empty", [Proto.ListenRequest()]),
        ("a bad name of a database", [.adding(.collection("cities"), in: "demo")]),
        ("no target", [.with { $0.database = FirestoreFixture.database }]),
        ("a target without a type", [.adding(Proto.Target())]),
        ("a negative id", [.adding(.collection("cities", id: -1))]),
        (
            "an id behind one that the server picked",
            [.adding(.collection("cities", id: 0)), .adding(.collection("cities", id: 5))]
        ),
        (
            "another database",
            [.adding(.collection("cities")), .adding(.collection("cities", id: 2), in: "projects/p/databases/d")]
        ),
    ]

    @Test(arguments: refused)
    func `a refusal ends the call while the client could still send`(
        name: String,
        requests: [Proto.ListenRequest]
    ) async throws {
        let failure = await #expect(throws: (any Error).self) { try await listen(requests) }
        #expect(failure.map { RPCError(failure: $0).code } == .invalidArgument)
        #expect(calls.listening.streamCount == 0)
    }

    @Test func `a client that fails before its first request ends the call`() async throws {
        await #expect(throws: RPCError.self) { try await listen([], clientFails: true) }
    }

    @Test func `2,000 refused calls leave no stream behind`() async throws {
        for number in 0..<2_000 {
            let requests = Self.refused[number % Self.refused.count].requests
            await #expect(throws: (any Error).self) { try await listen(requests) }
        }
        #expect(calls.listening.streamCount == 0)
        #expect(calls.listening.viewCount == 0)
    }

    @Test func `a cancelled call ends, whether or not a request has come`() async throws {
        for requests in [[], [Proto.ListenRequest.adding(.collection("cities"))]] {
            let call = Task { try await listen(requests) }
            while calls.listening.streamCount < requests.count { await Task.yield() }
            call.cancel()
            _ = await call.result
            #expect(calls.listening.streamCount == 0)
        }
    }

    @Test func `reads are filed under the query or the collection of their target`() async throws {
        let context = calls.context(CallUsage(method: "Listen"), caller: .anonymous)
        let call = ListenCall(calls: calls, context: context)
        defer { call.close() }
        for name in ["cities/rome", "cities/oslo", "cafes/greco"] {
            _ = try store.commit(
                [.set(try DocumentPath(parsing: name), fields: [:])],
                in: DatabaseID(parsing: FirestoreFixture.database)
            )
        }
        let targets: [Proto.Target] = [
            .collection("cities"), .collection("cafes", id: 2), .collection("cities", id: 3),
            .document("cafes/greco", id: 4),
        ]
        var filed: [String] = []
        for target in targets {
            try call.take(.adding(target))
            let answers = try #require(try await call.next())
            filed += answers.usages.map(\.text)
        }
        #expect(filed == ["cities/cities: 2", "cafes/cafes: 1", "cities/cities: 2", "cafes/-: 1"])
        // One commit that concerns all targets.
        let names = ["cities/rome", "cafes/greco"]
        let writes = try names.map { Write.set(try DocumentPath(parsing: $0), fields: ["n": .integer(1)]) }
        _ = try store.commit(writes, in: DatabaseID(parsing: FirestoreFixture.database))
        let answers = try #require(try await call.next())
        #expect(answers.usages.map(\.text) == ["cities/cities: 2", "cafes/cafes: 1", "cafes/-: 1"])
    }
}

/// Takes answers and drops them.
private struct Unread: RPCWriterProtocol {
    func write(_ element: Proto.ListenResponse) async throws {}
    func write(contentsOf elements: some Sequence<Proto.ListenResponse>) async throws {}
}

extension CallUsage {
    fileprivate var text: String {
        "\(attribution.collection ?? "-")/\(attribution.queryShape ?? "-"): \(billed.documentReads)"
    }
}

extension Proto.ListenRequest {
    static func adding(_ target: Proto.Target, in database: String = FirestoreFixture.database) -> Self {
        .with {
            $0.database = database
            $0.addTarget = target
        }
    }
}

extension Proto.Target {
    static func collection(_ name: String, id: Int32 = 1) -> Self {
        .with {
            $0.targetID = id
            $0.query.parent = FirestoreFixture.documents
            $0.query.structuredQuery.from = [.with { $0.collectionID = name }]
        }
    }

    static func document(_ name: String, id: Int32) -> Self {
        .with {
            $0.targetID = id
            $0.documents.documents = ["\(FirestoreFixture.documents)/\(name)"]
        }
    }
}
