// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

@testable import ConsoleServer

struct RequestLogTests {
    private let log = RequestLog()

    private func record(_ object: String = "a", at time: Int64 = 0, sentBody: Int64 = 10) -> UsageRecord {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.bucket = "b"
        attribution.object = object
        return UsageRecord(
            startMicroseconds: time,
            durationMicroseconds: 5,
            method: "GET",
            status: 200,
            outcome: .complete,
            attribution: attribution,
            received: TransferredBytes(header: 100, body: 0, wire: 100),
            sent: TransferredBytes(header: 50, body: sentBody, wire: sentBody + 50),
            billed: BilledUsage(egressBytes: sentBody, classB: 1),
            notes: UsageNotes(target: "/v0/b/b/o/\(object)", rule: "line 3")
        )
    }

    private func run(_ count: Int) throws -> UsageRun {
        var run = UsageRun(record())
        for number in 1..<count {
            let isTaken = run.append(UsageRun.Times(startMicroseconds: Int64(number), durationMicroseconds: 5))
            try #require(isTaken)
        }
        return run
    }

    @Test func `pages follow each other, and name where the next one begins`() {
        for number in 1...5 { log.record(record(at: Int64(number))) }
        let first = log.page(after: 0, limit: 3, .oldest)
        #expect(first.rows.map(\.number) == [1, 2, 3])
        #expect(first.rows.map(\.record.startMicroseconds) == [1, 2, 3])
        #expect(first.next == 3)
        #expect(first.droppedCount == 0)
        #expect(log.page(after: 3, limit: 3, .oldest).rows.map(\.number) == [4, 5])
        let last = log.page(after: 5, limit: 3, .oldest)
        #expect(last.rows.isEmpty)
        #expect(last.next == 5)
    }

    @Test func `one who falls behind gets the newest, and how many were dropped`() {
        for number in 1...5 { log.record(record(at: Int64(number))) }
        let page = log.page(after: 1, limit: 2, .newest)
        #expect(page.rows.map(\.number) == [4, 5])
        #expect(page.droppedCount == 2)
    }

    @Test func `requests that were alike are rows of their own`() throws {
        log.record(try run(4))
        let page = log.page(after: 1, limit: 2, .oldest)
        #expect(page.rows.map(\.number) == [2, 3])
        #expect(page.rows.map(\.record.startMicroseconds) == [1, 2])
    }

    @Test func `the oldest are forgotten beyond a limit`() throws {
        for _ in 0..<8 { log.record(try run(2_000)) }
        let page = log.page(after: 0, limit: 1, .oldest)
        #expect(page.rows.map(\.number) == [6_001])
        #expect(page.droppedCount == 6_000)
    }

    @Test func `a number of an earlier start begins at the beginning`() {
        log.record(record())
        #expect(log.page(after: 700, limit: 10, .newest).rows.map(\.number) == [1])
    }

    @Test func `a page is JSON with the members that have a value`() {
        log.record(record("\"<a>", at: 7))
        let json = log.page(after: 0, limit: 10, .oldest).json(pricedBy: UnitPrices(.spark2023))
        let expected = #"""
            {"requests":[{"number":1,"at":7,"durationMicroseconds":5,"service":"storage","operation":"storage.objects.get",\#
            "method":"GET","target":"/v0/b/b/o/\"<a>","status":200,"outcome":"complete","bucket":"b","object":"\"<a>",\#
            "received":100,"sent":60,"receivedBody":0,"sentBody":10,"requests":1,"billed":{"egressBytes":10,"classB":1},
            """#
        #expect(String(decoding: json, as: UTF8.self).hasPrefix(expected))
    }

    @Test func `a record that takes another back is there, so that all add up`() {
        log.amend(record(sentBody: 10), to: record(sentBody: 4))
        let page = log.page(after: 0, limit: 10, .oldest)
        #expect(page.rows.map(\.record.sent.body) == [-10, 4])
    }
}
