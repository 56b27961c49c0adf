// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering
import Testing

@testable import ConsoleServer

struct RepeatedDownloadsTests {
    private let downloads = RepeatedDownloads()

    private func take(
        _ object: String,
        by user: String? = "u1",
        operation: String = "storage.objects.get",
        method: String = "GET",
        status: Int = 200,
        body: Int64 = 100
    ) {
        var attribution = UsageAttribution(service: .storage, operation: operation)
        attribution.bucket = "b"
        attribution.object = object
        attribution.user = user
        attribution.client = "sdk"
        downloads.record(
            UsageRecord(
                startMicroseconds: 1,
                durationMicroseconds: 2,
                method: method,
                status: status,
                outcome: .complete,
                attribution: attribution,
                received: .zero,
                sent: TransferredBytes(header: 0, body: body, wire: body),
                billed: .zero
            )
        )
    }

    private var worst: [String] { worst(since: nil) ?? [] }

    private func worst(since mark: UsageMark?) -> [String]? {
        downloads.tally(since: mark)?.summary(limit: 10).pairs.map { pair, count in
            let name =
                switch pair.downloader {
                case .user(let name): name
                case .client(let name): "client \(name ?? "")"
                }
            return "\(name) \(pair.object.name) \(count.downloads) \(count.againBytes)"
        }
    }

    @Test func `what a user downloads again is counted, the most bytes first`() throws {
        for _ in 0..<3 { take("small", body: 10) }
        for _ in 0..<2 { take("large", body: 500) }
        take("once")
        #expect(worst == ["u1 large 2 500", "u1 small 3 20"])
        let summary = try #require(downloads.tally()).summary(limit: 10)
        #expect(summary.total.downloads == 6)
        #expect(summary.total.bytes == 1_130)
        #expect(summary.total.againDownloads == 3)
        #expect(summary.total.againBytes == 520)
        #expect(summary.downloaders.map(\.againBytes) == [520])
    }

    @Test func `users are distinguished, and callers without one by their client`() {
        take("a")
        take("a", by: "u2")
        take("a", by: nil)
        #expect(worst.isEmpty)
        take("a", by: nil)
        #expect(worst == ["client sdk a 2 100"])
        // One that is called as a client is.
        for _ in 0..<2 { take("a", by: "sdk") }
        #expect(Set(worst) == ["client sdk a 2 100", "sdk a 2 100"])
    }

    @Test(
        "answers that are no further whole download do not count",
        arguments: [
            ("GET", 304, "storage.objects.get"), ("GET", 206, "storage.objects.get"),
            ("HEAD", 200, "storage.objects.get"),
            ("GET", 404, "storage.objects.get"), ("GET", 200, "storage.objects.getMetadata"),
        ]
    )
    func others(_ method: String, _ status: Int, _ operation: String) {
        take("a")
        take("a", operation: operation, method: method, status: status)
        #expect(worst.isEmpty)
    }

    @Test func `a new version of an object is needed once more`() {
        take("a")
        take("a", operation: "storage.objects.create", method: "POST")
        take("a")
        #expect(worst.isEmpty)
        take("a")
        #expect(worst == ["u1 a 3 100"])
    }

    @Test func `since a mark, what was downloaded before it is downloaded again`() throws {
        let marks = try (0...RepeatedDownloads.markCountMax).map { try #require(UsageMark("m1-\($0)")) }
        for _ in 0..<2 { take("known") }
        downloads.begin(marks[0])
        #expect(worst(since: marks[0]) == [])
        take("known")
        take("new")
        downloads.begin(marks[0])
        #expect(worst(since: marks[0]) == ["u1 known 1 100"], "a mark that is made twice is one")
        let total = try #require(downloads.tally(since: marks[0])).summary(limit: 0).total
        #expect((total.downloads, total.againDownloads, total.bytes) == (2, 1, 200))
        #expect(worst == ["u1 known 3 200"])
        for mark in marks.dropFirst() { downloads.begin(mark) }
        #expect(worst(since: marks[0]) == nil, "the oldest of many is forgotten")
        #expect(worst(since: marks[1]) == [])
    }

    @Test func `runs count as many times as they are long`() {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        (attribution.bucket, attribution.object, attribution.user) = ("b", "a", "u1")
        let record = UsageRecord(
            startMicroseconds: 0,
            durationMicroseconds: 1,
            method: "GET",
            status: 200,
            outcome: .complete,
            attribution: attribution,
            received: .zero,
            sent: TransferredBytes(header: 0, body: 5, wire: 5),
            billed: .zero
        )
        var run = UsageRun(record)
        _ = run.append(UsageRun.Times(startMicroseconds: 1, durationMicroseconds: 1))
        _ = run.append(UsageRun.Times(startMicroseconds: 2, durationMicroseconds: 1))
        downloads.record(run)
        #expect(worst == ["u1 a 3 10"])
    }

    @Test func `beyond a limit objects that were downloaded once give way`() throws {
        take("kept")
        take("kept")
        let mark = try #require(UsageMark("m1-1"))
        downloads.begin(mark)
        for number in 0..<RepeatedDownloads.pairCountMax { take("o\(number)") }
        #expect(downloads.tally(since: mark)?.isTruncated == true)
        #expect(downloads.tally()?.isTruncated == true)
        #expect(worst == ["u1 kept 2 100"])
    }
}
