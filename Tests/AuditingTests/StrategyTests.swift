// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@testable import Auditing

struct StrategyTests {
    @Test func `the presets go from the origin's first version to its last`() {
        let names = [
            "all-images", "all-images+memory", "thumbnails", "thumbnails+memory", "thumbnails+memory+disk",
        ]
        #expect(Strategy.presets.map(\.name) == names)
        #expect(Strategy.presets.first == .baseline)
        #expect(Strategy.presets.map(\.mode) == [.allImages, .allImages, .thumbnails, .thumbnails, .thumbnails])
        let memory = Strategy.memoryByteCountMaxDefault
        #expect(Strategy.presets.map(\.memory?.byteCountMax) == [nil, memory, nil, memory, memory])
        let disk = Strategy.diskByteCountMaxDefault
        #expect(Strategy.presets.map(\.disk?.byteCountMax) == [nil, nil, nil, nil, disk])
    }

    @Test func `each article has its before and its after`() throws {
        let before = try Strategy("layout-before")
        #expect((before.concurrentLoadCountMax, before.waitsForImages, before.disk != nil) == (1, true, true))
        #expect(try Strategy("feed-after").disk == Strategy.presets.last?.disk)
        #expect(Strategy.named.count == 6)
    }

    @Test func `a text says all there is`() throws {
        let text =
            "thumbnails+memory:50MB:sieve+disk:arc:7d:200MiB+prefetch:1MB+persistence:6h+page:20+concurrency:2"
            + "+no-joining+http2+url-lookups+revalidate+layout-last"
        let strategy = try Strategy(text)
        #expect(strategy.name == text)
        #expect(strategy.memory == Strategy.Cache(byteCountMax: 50_000_000, policy: .sieve))
        let disk = Strategy.Cache(byteCountMax: 200 << 20, policy: .arc, ageMax: .seconds(7 * 86_400))
        #expect(strategy.disk == disk)
        #expect((strategy.prefetchByteCountMax, strategy.pageSize) == (1_000_000, 20))
        #expect((strategy.concurrentLoadCountMax, strategy.joinsRequests) == (2, false))
        #expect(strategy.listReading == .persistence(ageMax: .seconds(6 * 3_600)))
        #expect((strategy.httpVersion, strategy.looksUpURLs) == (.http2, true))
        #expect((strategy.revalidates, strategy.waitsForImages) == (true, true))
    }

    @Test func `a list may load smaller copies`() throws {
        let strategy = try Strategy("thumbnails:200x300+memory")
        #expect(strategy.thumbnails == .resized(ResizedVariant(pixelWidth: 200, pixelHeight: 300)))
        #expect(strategy.mode == .thumbnails && strategy.memory != nil)
    }

    @Test func `a list may load the first bytes of progressive images`() throws {
        #expect(try Strategy("progressive").thumbnails == .prefix(byteCount: 64 << 10))
        #expect(try Strategy("progressive:20kB+disk").thumbnails == .prefix(byteCount: 20_000))
    }

    @Test(
        "points at what is wrong",
        arguments: [
            ("", 0, 1, "begins with all-images, thumbnails or progressive"),
            ("Thumbnails", 0, 10, "did you mean 'thumbnails'?"), ("images", 0, 6, "feed-before"),
            ("thumbnails+cache:5MB", 11, 5, "'cache' is not a part of a strategy; expected one of memory, disk"),
            ("thumbnails+memry:5MB", 11, 5, "'memry' is not a part of a strategy; did you mean 'memory'?"),
            ("thumbnials", 0, 10, "did you mean 'thumbnails'?"),
            ("thumbnails+memory:50MB:sievee", 23, 6, "'sievee' is no policy (fifo, lru,"),
            ("thumbnails+memory:50XB", 18, 4, "is no size"),
            ("thumbnails+memory:0MB", 18, 3, "is no size"),
            ("thumbnails+memory:7d", 18, 2, "only the disk cache has one"),
            ("thumbnails+disk:1MB:2MB", 20, 3, "a size is there before"),
            ("thumbnails+memory+memory", 18, 6, "'memory' is there before"),
            ("all-images:200x200", 11, 7, "all-images has no settings"),
            ("thumbnails:200", 11, 3, "'200' is no size of a smaller copy; expected one such as 200x200"),
            ("thumbnails:0x200+memory", 11, 5, "is no size of a smaller copy"),
            ("thumbnails:200x200x200", 11, 11, "is no size of a smaller copy"),
            ("thumbnails:", 0, 10, "needs a setting, such as thumbnails:200x200"),
            ("thumbnails:9x9:8x8", 15, 3, "is one too many"),
            ("progressive:much", 12, 4, "is no size"),
            ("progressive:1kB:2kB", 16, 3, "is one too many"),
            ("thumbnails+page:0", 16, 1, "is no number from 1 to 300"),
            ("thumbnails+page", 11, 4, "such as page:8"),
            ("thumbnails+page:8:9", 18, 1, "is one too many"),
            ("thumbnails+http2:fast", 17, 4, "http2 has no settings"),
            ("thumbnails+", 11, 1, "is not a part of a strategy"),
            ("thumbnails+persistence:9", 23, 1, "'9' is no age; expected one such as 15min"),
            ("thumbnails+persistence:1h:2h", 26, 2, "is one too many"),
            ("thumbnails+listen:1h", 18, 2, "listen has no settings"),
            ("thumbnails+listen+persistence", 0, 10, "both listen and persistence"),
            ("thumbnails+http1+http2", 0, 10, "both http1 and http2"),
        ]
    )
    func errors(text: String, start: Int, length: Int, message: String) throws {
        let error = try #require(throws: StrategyError.self) { try Strategy(text) }
        #expect(error.message.contains(message), "\(error.message)")
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        #expect(lines[1] == "  " + text)
        #expect(lines[2] == String(repeating: " ", count: 2 + start) + String(repeating: "^", count: length))
    }

    private func strategies(in json: String) throws -> [Strategy] {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(json.utf8).write(to: url)
        return try Strategy.file(at: url.path)
    }

    @Test func `a file names its strategies`() throws {
        let strategies = try strategies(
            in: """
                {"schema": "firemeter.strategies/1", "strategies": [
                  {"name": "shipped", "strategy": "thumbnails+memory"},
                  {"strategy": "feed-before"}
                ]}
                """
        )
        #expect(strategies.map(\.name) == ["shipped", "feed-before"])
        #expect(strategies[0].memory?.byteCountMax == Strategy.memoryByteCountMaxDefault)
    }

    @Test(arguments: [
        (#"{"schema":"firemeter.strategies/2"}"#, "line 1: 'schema'"),
        ("{\"schema\":\"firemeter.strategies/1\",\n\"strategies\":[]}", "line 2: 'strategies'"),
        (
            "{\"schema\":\"firemeter.strategies/1\",\"strategies\":[\n{\"name\":\"x\"}]}",
            "line 2: expected a 'strategy'"
        ),
        (
            "{\"schema\":\"firemeter.strategies/1\",\"strategies\":[\n\n{\"strategy\":\"thumbs\"}]}",
            "line 3: 'thumbs' is not something to fetch"
        ),
        ("{\n\"schema\"", "line 2"),
    ])
    func `a file that is wrong names the line`(json: String, message: String) throws {
        let error = try #require(throws: AuditError.self) { try strategies(in: json) }
        #expect(error.exitCode == 64)
        #expect(error.description.contains(message), "\(error)")
    }

    @Test func `a missing file is an error of input`() {
        let error = #expect(throws: AuditError.self) { try Strategy.file(at: "/nowhere/strategies.json") }
        #expect(error?.exitCode == 74)
    }
}
