// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import Foundation
import NIOConcurrencyHelpers
import SecurityRules
import Testing
import Wire

@testable import LocalFirebase

/// Reads that are made again: the verdict is kept, and so is the count.
@Suite(.timeLimit(.minutes(5)))
struct AllowedReadsTests {
    private static let database = DatabaseID(project: "demo-x")
    private static let alice = caller("alice")

    private static func caller(_ user: String) -> Caller {
        let claims = Data(#"{"sub":"\#(user)"}"#.utf8).base64EncodedString().replacing("=", with: "")
        return Caller(authorization: "Bearer e30.\(claims).")
    }

    private static func rules(_ condition: String) throws -> CompiledRules {
        try CompiledRules(
            """
            rules_version = '2';
            service cloud.firestore { match /databases/{database}/documents { match /posts/{id} { allow get: if \(condition); } } }
            """,
            service: "cloud.firestore"
        )
    }

    private let surroundings: Surroundings
    private let judge: RulesJudge
    /// Microseconds since 1970.
    private let now = NIOLockedValueBox<Int64>(0)

    init() throws {
        let store = try SQLiteDocumentStore(location: .memory, clock: { Timestamp(seconds: 0) })
        surroundings = Surroundings(store: store, database: Self.database)
        judge = RulesJudge(try Self.rules("request.auth.uid == resource.data.owner")) { [now] in
            now.withLockedValue(\.self)
        }
    }

    /// Whether a user may read a post; `owner` is `nil` for one that is missing.
    private func mayRead(_ caller: Caller = alice, _ id: String = "p1", owner: String?) throws -> Bool {
        let path = try DocumentPath(["posts", id])
        let document = owner.map { owner in
            let time = Timestamp(seconds: 0)
            return Document(path: path, fields: ["owner": .string(owner)], createTime: time, updateTime: time)
        }
        var judgement = Judgement()
        do {
            let read = DocumentRead(path: path, surroundings: surroundings) { document }
            try judge.authorize([read], for: caller, noting: &judgement)
            return true
        } catch let error as FirestoreError where error.code == .permissionDenied {
            return false
        }
    }

    private var counts: RuleCounts? { judge.usage.first?.rules.first?.counts }

    @Test func `a read that is made again is counted like the first, and takes no time`() throws {
        #expect(try mayRead(owner: "alice"))
        let duration = counts?.duration
        for _ in 0..<2 { #expect(try mayRead(owner: "alice")) }
        #expect(counts?.duration == duration)
        #expect(counts?.evaluations == 3)
        #expect(counts?.held == 3)
        #expect(counts?.expressions == 3 * 7)
    }

    @Test func `a verdict is for one reader, one document and its fields`() throws {
        #expect(try mayRead(owner: "alice"))
        #expect(try !mayRead(Self.caller("bob"), owner: "alice"))
        #expect(try !mayRead(.anonymous, owner: "alice"))
        #expect(try !mayRead(owner: "bob"))
        #expect(try !mayRead(owner: nil))
        #expect(try !mayRead(Self.alice, "p2", owner: "bob"))
        #expect(try mayRead(owner: "alice"))
    }

    @Test func `other rules judge by themselves`() throws {
        #expect(try mayRead(owner: "alice"))
        judge.replaceCommon(try Self.rules("false"))
        #expect(try !mayRead(owner: "alice"))
        judge.replace(try Self.rules("true"), of: [], of: Self.database.project)
        #expect(try mayRead(owner: "alice"))
    }

    @Test func `a verdict by the time is not kept`() throws {
        judge.replaceCommon(try Self.rules("request.time.year() < 2000"))
        #expect(try mayRead(owner: "alice"))
        now.withLockedValue { $0 = 1_000_000_000_000_000 }
        #expect(try !mayRead(owner: "alice"))
    }
}
