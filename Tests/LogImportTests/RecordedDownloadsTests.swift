// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SessionLog
import Testing

@testable import LogImport

struct RecordedDownloadsTests {
    /// A log, and the downloads of its views but for the answers of lists.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: [String]
        let log: RecordedLog

        init(_ name: String, _ expected: [String], _ add: (inout RecordedLog) -> Void) {
            (testDescription, self.expected) = (name, expected)
            var log = RecordedSessionTests.twoPosts()
            add(&log)
            self.log = log
        }
    }

    private static let (alpha, beta) = ("posts/alpha/0.jpg", "posts/beta/0.jpg")

    private static let samples = [
        Sample("first images of a list", ["listed 10000 in 1 of \(alpha), posts page 0"]) { log in
            log.download(alpha, by: "ann", at: 0.1)
        },
        Sample(
            "an opened post",
            [
                "listed 10000 in 1 of \(alpha), posts page 0", "opened 10000 in 1 of posts/beta/1.jpg, opened",
                "opened 10000 in 1 of \(beta), posts page 0",
            ]
        ) { log in
            log.download(alpha, by: "ann", at: 0.1)
            log.download(beta, by: "ann", at: 0.2)
            log.download("posts/beta/1.jpg", by: "ann", at: 5)
        },
        Sample(
            "a list that loads all images",
            [
                "listed 10000 in 1 of \(beta), posts page 0", "opened 10000 in 1 of \(alpha), posts page 0",
                "opened 10000 in 1 of posts/alpha/1.jpg, posts page 0",
                "overFetched 10000 in 1 of posts/beta/1.jpg, posts page 0",
            ]
        ) { log in
            for post in ["alpha", "beta"] {
                for n in 0...1 { log.download("posts/\(post)/\(n).jpg", by: "ann", at: 0.1) }
            }
            log.read("posts/alpha", by: "ann", at: 9)
        },
        Sample(
            "again, on another page, by the same user",
            [
                "again 20000 in 2 of \(alpha), posts page 1", "listed 20000 in 2 of \(alpha), posts page 0",
            ]
        ) { log in
            log.download(alpha, by: "ann", at: 0.1)
            log.list("posts", ["posts/alpha"], by: "ann", at: 10, isContinued: true)
            for second in [10.1, 10.2] { log.download(alpha, by: "ann", at: second) }
            log.list("posts", ["posts/alpha"], by: "vic", at: 20)
            log.download(alpha, by: "vic", at: 20.1)
        },
        Sample(
            "a new generation",
            ["again 10000 in 1 of \(alpha), posts page 0", "listed 20000 in 2 of \(alpha), posts page 0"]
        ) { log in
            for (second, generation) in [(0.1, 1), (0.2, 2), (0.3, 1)] as [(Double, Int64)] {
                log.download(alpha, by: "ann", at: second, generation: generation)
            }
        },
        Sample(
            "an image that is still current",
            ["listed 10000 in 1 of \(alpha), posts page 0", "revalidated 0 in 2 of \(alpha), posts page 0"]
        ) { log in
            log.download(alpha, by: "ann", at: 0.1)
            for second in [1.0, 1.1] { log.download(alpha, by: "ann", at: second, status: 304) }
        },
        Sample(
            "given up, failed, then whole",
            [
                "aborted 300 in 1 of \(alpha), posts page 0", "failed 400 in 1 of \(alpha), posts page 0",
                "listed 10000 in 1 of \(alpha), posts page 0",
            ]
        ) { log in
            for (byteCount, cause) in [(300, .clientClosed), (400, .serverCancelled)] as [(Int64, AbortCause)] {
                log.download(alpha, by: "ann", at: 0.1, sent: byteCount) {
                    ($0.outcome, $0.abortCause) = (.aborted, cause)
                }
            }
            log.download(alpha, by: "ann", at: 0.2)
        },
        Sample(
            "taken back",
            ["aborted 300 in 1 of \(alpha), posts page 0", "listed 10000 in 1 of \(beta), posts page 0"]
        ) { log in
            // At the same time: the object says which of them did not happen.
            log.download(beta, by: "ann", at: 0.1)
            log.download(alpha, by: "ann", at: 0.1)
            log.amendLast(sent: 300)
        },
        Sample(
            "taken back, without a token",
            ["aborted 300 in 1 of \(alpha), posts page 0", "listed 10000 in 1 of \(beta), posts page 0"]
        ) { log in
            log.download(beta, by: nil, at: 0.1)
            log.download(alpha, by: nil, at: 0.2)
            log.list("other", ["posts/alpha"], by: "vic", at: 0.3)
            log.amendLast(sent: 300, behind: 1)
        },
        Sample("parts", ["again 7000 in 2 of \(alpha), posts page 0", "listed 10000 in 3 of \(alpha), posts page 0"]) {
            log in
            for (second, byteCount) in [(0.1, 4_000), (0.2, 4_000), (0.3, 4_000), (0.4, 5_000)] as [(Double, Int64)] {
                log.download(alpha, by: "ann", at: second, status: 206, sent: byteCount)
            }
        },
        Sample(
            "the whole after a part",
            ["again 4000 in 1 of \(alpha), posts page 0", "listed 10000 in 2 of \(alpha), posts page 0"]
        ) { log in
            log.download(alpha, by: "ann", at: 0.1, status: 206, sent: 4_000)
            log.download(alpha, by: "ann", at: 0.2)
        },
        Sample("further bytes of a download", ["listed 10500 in 1 of \(alpha), posts page 0"]) { log in
            log.download(alpha, by: "ann", at: 0.1)
            log.download(alpha, by: "ann", at: 0.2, sent: 500) { $0.requestCount = 0 }
        },
        Sample("an image that no document has", ["listed 10000 in 1 of \(alpha), posts page 0"]) { log in
            log.download(alpha, by: "ann", at: 0.1)
            log.download("faces/ann7.png", by: "ann", at: 0.2)
            log.upload("x", at: 0.3)
        },
    ]

    @Test(arguments: samples)
    func `each byte of a view has one cause`(_ sample: Sample) throws {
        let inferred = try sample.log.session()
        #expect(inferred.downloads.filter { !$0.hasPrefix("documents") } == sample.expected)
        let usage = try #require(inferred.usage)
        func sum(_ totals: [UsageAttribution.Service: UsageTotals]) -> (byteCount: Int64, reads: Int64) {
            totals.values.reduce((0, 0)) { ($0.0 + $1.sent.body, $0.1 + $1.billed.documentReads) }
        }
        let (total, other, parts) = (sum(usage.total), sum(usage.other), try #require(usage.downloads).parts)
        #expect(parts.reduce(other.byteCount) { $0 + $1.byteCount } == total.byteCount)
        #expect(parts.reduce(other.reads) { $0 + $1.documentReads } == total.reads)
    }

    @Test func `answers of lists are documents, those of lists with the same name together`() throws {
        var log = RecordedSessionTests.twoPosts()
        log.list("posts", ["posts/alpha"], by: "vic", at: 1)
        log.list("other", ["posts/alpha"], by: "vic", at: 2)
        log.amendLast(sent: 10)
        #expect(
            try log.session().downloads == [
                "documents 10 in 1 of list, other page 0", "documents 2000 in 2 of list, posts page 0",
            ]
        )
        let parts = try #require(try log.session().usage?.downloads).parts
        #expect(parts.map(\.documentReads) == [1, 3])
    }

    @Test func `what only documents read by name explain has no downloads`() throws {
        var log = RecordedLog()
        log.document("posts/alpha")
        log.read("posts/alpha", by: "ann", at: 0)
        #expect(try log.session().usage?.downloads == nil)
    }

    @Test func `the pixels of shown images are kept, upright`() throws {
        var log = RecordedSessionTests.twoPosts()
        for second in [0.1, 0.2] { log.download(Self.alpha, by: "ann", at: second) }
        let parts = try #require(try log.session().usage?.downloads).parts
        #expect(parts.map(\.pixelWidth) == [nil, nil, 400])
    }

    @Test(arguments: samples)
    func `an imported session keeps the downloads`(_ sample: Sample) throws {
        let inferred = try sample.log.session()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try SessionLogWriter(path, header: inferred.session.header)
        for line in inferred.usage?.downloads?.parts ?? [] { try writer.append(.downloads(line)) }
        for view in inferred.session.views { try writer.append(.view(view)) }
        writer.close()
        #expect(try SessionSource(path).usage == inferred.usage)
        #expect(try SessionSource(path).header == inferred.session.header)
    }

    @Test(arguments: [Int64(1) << 53, -(1 << 53)])
    func `absurd sums count as none`(byteCount: Int64) throws {
        let line = SessionDownloads(cause: "again", place: .openedPost, byteCount: byteCount, responseCount: 1)
        #expect(RecordedDownloads([line]) != nil)
        #expect(RecordedDownloads([line, line]) == nil)
    }
}
