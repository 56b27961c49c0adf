// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Foundation
import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import Testing
import Wire

@testable import FirestoreServer

/// Where calls over REST wait.
@Suite(.timeLimit(.minutes(2))) struct BlockingTests {
    @Test func `more reads than cores wait at a time, and leave Swift's threads to others`() async throws {
        let gathering = Gathering(count: System.coreCount + 1)
        let store = try SQLiteDocumentStore(location: .memory) { Timestamp(seconds: 1_795_222_149) }
        let service = FirestoreService(
            calls: FirestoreCalls(
                store: store,
                transactions: TransactionManager(store: store),
                listening: try ListenHub(store: store),
                quota: gathering
            )
        )
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<gathering.count {
                group.addTask {
                    let exchange = Exchange(attribution: UsageAttribution(service: .firestore, operation: "test"))
                    return await service.respond(to: .query, exchange: exchange).status.code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: gathering.count))
        #expect(gathering.isComplete, "as many reads as there are cores stop all others")
    }
}

/// Holds the threads of calls that read until enough of them are here, or a minute has passed.
// Unchecked because the mutable state is private and reached only while `condition` is held.
private final class Gathering: QuotaGate, @unchecked Sendable {
    let count: Int
    private let condition = NSCondition()
    private var presentCount = 0
    private var hasTimedOut = false

    init(count: Int) {
        self.count = count
    }

    /// Whether all were here at the same time.
    var isComplete: Bool { condition.withLock { presentCount >= count && !hasTimedOut } }

    func isOver(_ items: [BillableItem]) -> Bool {
        condition.withLock {
            presentCount += 1
            condition.broadcast()
            let deadline = Date(timeIntervalSinceNow: 60)
            while presentCount < count, !hasTimedOut {
                if !condition.wait(until: deadline) { hasTimedOut = true }
            }
        }
        return false
    }
}

extension Request {
    fileprivate static var query: Request {
        let head = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost",
            path: "/v1/\(FirestoreFixture.documents):runQuery"
        )
        let body = #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    }
}
