// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import NIOConcurrencyHelpers
import SwiftProtobuf
import Testing
import Wire

@testable import FirestoreServer

/// The judge of a server, with rules that tests need: documents are public by a field, as in a rule on `resource.data`.
@Suite(.timeLimit(.minutes(5)))
struct JudgeTests {
    /// Allows what concerns documents with `public: true`, and queries over the collection `cities`.
    struct PublicDocuments: FirestoreJudge {
        func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws {
            try refuse(unless: reads.allSatisfy { try $0.document().map(Self.isPublic) ?? false })
        }

        func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm {
            try refuse(unless: read.query.source.collectionID == "cities")
            return .lasting
        }

        func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws {
            // A rule with get(): a writer must have a public document `members/<user>` before the commit.
            guard let user = caller.userID else { return try refuse(unless: false) }
            let member = try commit.documentBefore(at: DocumentPath(parsing: "members/\(user)"))
            try refuse(unless: member.map(Self.isPublic) ?? false)
            try refuse(unless: commit.documents.allSatisfy { $0.after.map(Self.isPublic) ?? true })
        }

        func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws {
            try refuse(unless: false)
        }

        private func refuse(unless isAllowed: Bool) throws {
            if !isAllowed { throw FirestoreError(.permissionDenied, "false for 'get' @ L2") }
        }

        static func isPublic(_ document: Document) -> Bool {
            (try? document.encodedFields.decoded())?["public"] == .boolean(true)
        }
    }

    private static let alice = "Bearer e30.eyJzdWIiOiJhbGljZSJ9."

    private func makeFixture() throws -> FirestoreFixture {
        let fixture = try FirestoreFixture(judge: CurrentJudge(PublicDocuments()))
        let database = try DatabaseID(parsing: FirestoreFixture.database)
        for (path, isPublic) in [("cities/rome", true), ("cities/oslo", false), ("members/alice", true)] {
            let fields: [String: Value] = ["public": .boolean(isPublic)]
            _ = try fixture.store.commit([.set(try DocumentPath(parsing: path), fields: fields)], in: database)
        }
        return fixture
    }

    private static func write(_ path: String, isPublic: Bool, exists: Bool? = nil) -> String {
        let condition = exists.map { #","currentDocument":{"exists":\#($0)}"# } ?? ""
        return """
            {"update":{"name":"\(FirestoreFixture.documents)/\(path)",
                       "fields":{"public":{"booleanValue":\(isPublic)}}}\(condition)}
            """
    }

    static let verdicts: [(name: String, method: String, path: String, body: String, user: Int, owner: Int)] = [
        ("a public document", "GET", "/cities/rome", "", 200, 200),
        ("a private document", "GET", "/cities/oslo", "", 403, 200),
        ("a missing document", "GET", "/cities/lima", "", 403, 404),
        (
            "documents by name, one of them private", "POST", ":batchGet",
            #"{"documents":["\#(FirestoreFixture.documents)/cities/rome","\#(FirestoreFixture.documents)/cities/oslo"]}"#,
            403, 200
        ),
        ("a list", "GET", "/cities", "", 200, 200),
        ("a list that is not allowed", "GET", "/members", "", 403, 200),
        ("a query", "POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#, 200, 200),
        (
            "a query that is not allowed", "POST", ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"members"}]}}"#, 403, 200
        ),
        (
            "a count that is not allowed", "POST", ":runAggregationQuery",
            """
            {"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"members"}]},
             "aggregations":[{"alias":"n","count":{}}]}}
            """,
            403, 200
        ),
        ("the names of collections", "POST", ":listCollectionIds", "{}", 403, 200),
        ("a batch of writes", "POST", ":batchWrite", #"{"writes":[]}"#, 403, 200),
        ("a write", "POST", ":commit", #"{"writes":[\#(write("cities/rome", isPublic: true))]}"#, 200, 200),
        (
            "a write that the documents after it forbid", "POST", ":commit",
            #"{"writes":[\#(write("cities/rome", isPublic: true)),\#(write("cities/rome", isPublic: false))]}"#, 403,
            200
        ),
        (
            "a write that is not allowed, with a precondition that fails", "POST", ":commit",
            #"{"writes":[\#(write("cities/rome", isPublic: false, exists: false))]}"#, 403, 409
        ),
        (
            "a write with a precondition that fails", "POST", ":commit",
            #"{"writes":[\#(write("cities/rome", isPublic: true, exists: false))]}"#, 409, 409
        ),
    ]

    @Test(arguments: verdicts)
    func `judges callers, but not administrators`(
        name: String,
        method: String,
        path: String,
        body: String,
        user: Int,
        owner: Int
    ) async throws {
        let target = "/v1/\(FirestoreFixture.documents)\(path)"
        let answer = try await makeFixture().send(RESTRequest(method, target, body, authorization: Self.alice))
        #expect(answer.status == user)
        if user == 403 { #expect(answer.text.contains("false for 'get' @ L2")) }
        let owners = try await makeFixture().send(RESTRequest(method, target, body))
        #expect(owners.status == owner)
    }

    @Test func `a refused commit changes nothing, and its transaction is over`() async throws {
        let fixture = try makeFixture()
        let begun = await fixture.send("POST", ":beginTransaction", "{}")
        let transaction = try #require(begun.text.split(separator: "\"").dropFirst(3).first)
        let body = """
            {"transaction":"\(transaction)","writes":[\(Self.write("cities/rome", isPublic: true)),
             \(Self.write("cities/lima", isPublic: false))]}
            """
        let target = "/v1/\(FirestoreFixture.documents):commit"
        #expect(await fixture.send(RESTRequest("POST", target, body, authorization: Self.alice)).status == 403)
        #expect(await fixture.send("GET", "/cities/lima").status == 404)
        #expect(await fixture.send(RESTRequest("POST", target, body)).status == 400)
    }

    @Test func `a commit is judged by the documents as they are in its turn`() async throws {
        let fixture = try makeFixture()
        let database = try DatabaseID(parsing: FirestoreFixture.database)
        let seen = NIOLockedValueBox<[String]>([])
        let path = try DocumentPath(parsing: "cities/rome")
        let other = try DocumentPath(parsing: "members/alice")
        let writes: [Write] = [.delete(path), .set(other, fields: ["n": .integer(1)])]
        _ = try fixture.store.commit(
            writes,
            in: database,
            authorizing: CommitAuthorization { commit in
                let changes = commit.documents.map { "\($0.before != nil) to \($0.after != nil)" }
                let others = try [commit.documentBefore(at: path), commit.documentAfter(at: path)].map { $0 != nil }
                seen.withLockedValue { $0 = changes + others.map(String.init) + ["\(commit.writes.count) writes"] }
            }
        )
        #expect(seen.withLockedValue { $0 } == ["true to false", "true to true", "true", "false", "2 writes"])
    }

    @Test func `listeners are judged when they begin, and again by another judge`() async throws {
        let judge = CurrentJudge(PublicDocuments())
        let store = try SQLiteDocumentStore(location: .memory) { Timestamp(seconds: 1_795_222_149) }
        let calls = FirestoreCalls(
            store: store,
            transactions: TransactionManager(store: store),
            listening: try ListenHub(store: store),
            judge: judge
        )
        let context = calls.context(CallUsage(method: "Listen"), caller: Caller(authorization: Self.alice))
        let call = ListenCall(calls: calls, context: context)
        defer { call.close() }
        try call.take(.adding(.collection("members")))
        let refused = try #require(try await call.next()).responses()
        #expect(refused.compactMap(\.cause) == ["7: false for 'get' @ L2"])
        try call.take(.adding(.collection("cities", id: 2)))
        let allowed = try #require(try await call.next()).responses()
        #expect(allowed.compactMap(\.cause).isEmpty)
        judge.replace(with: NothingAllowed())
        let ended = try #require(try await call.next()).responses()
        #expect(ended.compactMap(\.cause) == ["7: closed"])
        #expect(ended.map(\.targetChange.targetIds).contains([2]))
    }
}

/// Refuses every call.
private struct NothingAllowed: FirestoreJudge {
    private static let refusal = FirestoreError(.permissionDenied, "closed")

    func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws {
        throw Self.refusal
    }
    func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm {
        throw Self.refusal
    }
    func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws {
        throw Self.refusal
    }
    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws { throw Self.refusal }
}

extension Proto.ListenResponse {
    /// The code and the message of a target that the server ended.
    fileprivate var cause: String? {
        guard case .targetChange(let change)? = responseType, change.hasCause else { return nil }
        return "\(change.cause.code): \(change.cause.message)"
    }
}
