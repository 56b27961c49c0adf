// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

/// The journal is a short cut: whatever becomes of it, the cache is what its files are.
@Suite(.timeLimit(.minutes(5))) struct DiskJournalTests {
    private let directory = TemporaryDirectory()
    private let world = TestWorld()

    private func open(byteCountMax: Int = 100_000) throws -> DiskCache {
        try DiskCache(directory: directory.url, byteCountMax: byteCountMax, now: world.environment.now)
    }

    private var journal: URL { directory.url.appendingPathComponent("index.fmjournal") }

    private func expectAll(of keys: Range<Int>, in cache: inout DiskCache) {
        for key in keys { #expect(cache.data(for: "k\(key)") == picture(100, seed: UInt8(key))) }
    }

    enum Loss: CaseIterable {
        case removed, emptied, cutInRecord, garbage, flipped, older

        func apply(to journal: URL, older: Data) throws {
            var contents = try Data(contentsOf: journal)
            switch self {
            case .removed: return try FileManager.default.removeItem(at: journal)
            case .emptied: contents = Data()
            case .cutInRecord: contents.removeLast(17)
            case .garbage: contents = Data((0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 77) })
            case .flipped: for offset in stride(from: 10, to: contents.count, by: 55) { contents[offset] ^= 4 }
            case .older: contents = older
            }
            try contents.write(to: journal)
        }
    }

    @Test(arguments: Loss.allCases)
    func `is made anew from the files`(loss: Loss) throws {
        var cache = try open()
        for key in 0..<10 { try cache.store(picture(100, seed: UInt8(key)), for: "k\(key)") }
        let older = try Data(contentsOf: journal)
        for key in 10..<20 { try cache.store(picture(100, seed: UInt8(key)), for: "k\(key)") }
        try loss.apply(to: journal, older: older)

        var reopened = try open()
        #expect(reopened.count == 20)
        #expect(reopened.byteCount == 2_000)
        expectAll(of: 0..<20, in: &reopened)
        try reopened.store(picture(100, seed: 20), for: "k20")
        var again = try open()
        #expect(again.count == 21)
        expectAll(of: 0..<21, in: &again)
    }

    @Test func `is written anew before it grows long, and others follow`() throws {
        var cache = try open()
        var other = try open()
        try cache.store(picture(100, seed: 0), for: "k0")
        for _ in 0..<5_000 { _ = cache.data(for: "k0") }
        try cache.store(picture(100, seed: 1), for: "k1")
        let size = try FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int
        #expect(try #require(size) < 100_000)
        expectAll(of: 0..<2, in: &other)
        try other.store(picture(100, seed: 2), for: "k2")
        expectAll(of: 0..<3, in: &cache)
    }

    @Test func `is made anew while the cache is open, when somebody emptied it`() throws {
        var cache = try open()
        for key in 0..<5 { try cache.store(picture(100, seed: UInt8(key)), for: "k\(key)") }
        for name in ["index.fmjournal", "index.fmlock"] {
            try FileManager.default.removeItem(at: directory.url.appendingPathComponent(name))
        }
        #expect(cache.data(for: "other") == nil)
        try cache.store(picture(100, seed: 5), for: "k5")
        expectAll(of: 0..<6, in: &cache)
        var other = try open()
        expectAll(of: 0..<6, in: &other)
    }

    @Test func `does not let go of what others asked for`() throws {
        func open() throws -> DiskCache {
            try DiskCache(
                directory: directory.url,
                byteCountMax: 100_000,
                ageMax: .seconds(100),
                now: world.environment.now
            )
        }
        var idle = try open()
        var busy = try open()
        try busy.store(picture(100), for: "k")
        #expect(idle.data(for: "k") != nil)
        for _ in 0..<5 {
            world.advance(by: .seconds(60))
            #expect(busy.data(for: "k") != nil)
        }
        #expect(idle.data(for: "k") == picture(100))
    }

    @Test func `clears files of an earlier form`() throws {
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let old = directory.url.appendingPathComponent(String(repeating: "a", count: 32) + ".fmimage")
        try Data("FMIMAGE1 and so on".utf8).write(to: old)
        _ = try open()
        #expect(!FileManager.default.fileExists(atPath: old.path))
    }

    @Test func `lets two that share a directory find each other's images, within one limit`() throws {
        var first = try open(byteCountMax: 1_000)
        var second = try open(byteCountMax: 1_000)
        for key in 0..<40 {
            if key % 2 == 0 {
                try first.store(picture(100, seed: UInt8(key)), for: "k\(key)")
                #expect(second.data(for: "k\(key)") == picture(100, seed: UInt8(key)))
            } else {
                try second.store(picture(100, seed: UInt8(key)), for: "k\(key)")
                #expect(first.data(for: "k\(key)") == picture(100, seed: UInt8(key)))
            }
        }
        expectAll(of: 30..<40, in: &first)
        expectAll(of: 30..<40, in: &second)
        #expect(try directory.files().filter { $0.pathExtension == "fmimage" }.count == 10)
        #expect(first.data(for: "k29") == nil)
        #expect(second.data(for: "k29") == nil)
    }

    @Test func `lets many threads share a directory without damage`() async throws {
        let limit = 3_000
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    guard var cache = try? self.open(byteCountMax: limit) else {
                        Issue.record("cannot open")
                        return
                    }
                    var generator = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<300 {
                        let key = Int.random(in: 0..<60, using: &generator)
                        let expected = picture(100, seed: UInt8(key))
                        if let data = cache.data(for: "k\(key)") {
                            #expect(data == expected)
                        } else {
                            #expect(throws: Never.self) { try cache.store(expected, for: "k\(key)") }
                        }
                    }
                }
            }
        }
        var cache = try open(byteCountMax: limit)
        #expect(cache.byteCount <= limit)
        let files = try directory.files().filter { $0.pathExtension == "fmimage" }
        #expect(files.count == cache.count)
        for key in 0..<60 {
            if let data = cache.data(for: "k\(key)") { #expect(data == picture(100, seed: UInt8(key))) }
        }
    }
}
