// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DiskCacheTests {
    private let directory = TemporaryDirectory()
    private let world = TestWorld()

    private func open(
        byteCountMax: Int = 1_000,
        ageMax: Duration? = nil,
        policy: CachePolicyChoice = .lru
    ) throws -> DiskCache {
        try DiskCache(
            directory: directory.url,
            byteCountMax: byteCountMax,
            ageMax: ageMax,
            policy: policy,
            now: world.environment.now
        )
    }

    private func bytes(_ byte: UInt8, _ count: Int = 100) -> Data { Data(repeating: byte, count: count) }

    private func images() throws -> [URL] { try directory.files().filter { $0.pathExtension == "fmimage" } }

    private func held(_ cache: DiskCache, of keys: String = "abcdefgh") -> String {
        var cache = cache
        return String(keys.filter { cache.holds(String($0)) })
    }

    @Test func `survives being opened again, with its order`() throws {
        var cache = try open()
        for (byte, key) in ["a", "b", "c"].enumerated() { try cache.store(bytes(UInt8(byte)), for: key) }
        #expect(cache.data(for: "a") == bytes(0))

        var reopened = try open(byteCountMax: 300)
        #expect(reopened.byteCount == 300)
        try reopened.store(bytes(9), for: "d")
        #expect(held(reopened) == "acd")
        #expect(reopened.data(for: "c") == bytes(2))
        #expect(reopened.data(for: "x") == nil)
    }

    @Test func `drops the least recently asked for, also from the directory`() throws {
        var cache = try open(byteCountMax: 250)
        for (byte, key) in ["a", "b", "c"].enumerated() { try cache.store(bytes(UInt8(byte)), for: key) }
        #expect(held(cache) == "bc")
        #expect(try images().count == 2)
        try cache.store(bytes(9, 251), for: "large")
        #expect(held(cache) == "bc")
        #expect(try images().count == 2)
    }

    @Test func `shrinks to a smaller limit when opened`() throws {
        var cache = try open()
        for (byte, key) in ["a", "b", "c"].enumerated() { try cache.store(bytes(UInt8(byte)), for: key) }
        #expect(try held(open(byteCountMax: 150)) == "c")
        #expect(try images().count == 1)
    }

    @Test func `lets go of what nobody asked for in time`() throws {
        var cache = try open(ageMax: .seconds(100))
        try cache.store(bytes(1), for: "a")
        try cache.store(bytes(2), for: "b")
        world.advance(by: .seconds(60))
        #expect(cache.data(for: "a") == bytes(1))
        world.advance(by: .seconds(60))
        #expect(cache.data(for: "b") == nil)
        #expect(cache.data(for: "a") == bytes(1))
        #expect(try images().count == 1)
        world.advance(by: .seconds(101))
        #expect(try open(ageMax: .seconds(100)).count == 0)
        #expect(try images().isEmpty)
    }

    @Test func `looks for what is too old while it stays open`() throws {
        var cache = try open(ageMax: .seconds(100))
        try cache.store(bytes(1), for: "a")
        world.advance(by: .seconds(3_600))
        try cache.store(bytes(2), for: "b")
        #expect(held(cache) == "b")
        #expect(try images().count == 1)
    }

    enum Damage: CaseIterable {
        case truncated, emptied, extended, flippedInImage, flippedInKey, wrongMagic, removed, otherKeysFile

        func apply(to file: URL, other: URL) throws {
            var contents = try Data(contentsOf: file)
            switch self {
            case .truncated: contents.removeLast()
            case .emptied: contents = Data()
            case .extended: contents.append(0)
            case .flippedInImage: contents[contents.count - 1] ^= 1
            case .flippedInKey: contents[40] ^= 1
            case .wrongMagic: contents[0] ^= 1
            case .removed: return try FileManager.default.removeItem(at: file)
            case .otherKeysFile: contents = try Data(contentsOf: other)
            }
            try contents.write(to: file)
        }
    }

    @Test(arguments: Damage.allCases, [false, true])
    func `takes a damaged file for a miss`(damage: Damage, isReopened: Bool) throws {
        var cache = try open()
        try cache.store(bytes(1), for: "a")
        let file = try #require(try images().first)
        try cache.store(bytes(2), for: "b")
        let other = try #require(try images().first { $0.path != file.path })
        try damage.apply(to: file, other: other)
        if isReopened { cache = try open() }
        #expect(cache.data(for: "a") == nil)
        #expect(cache.data(for: "b") == bytes(2))
        try cache.store(bytes(1), for: "a")
        #expect(cache.data(for: "a") == bytes(1))
        #expect(held(cache) == "ab")
        #expect(cache.byteCount == 200)
    }

    @Test func `leaves foreign files alone and clears what a crash left half-written`() throws {
        var cache = try open()
        try cache.store(bytes(1), for: "a")
        let foreign = directory.url.appendingPathComponent("notes.txt")
        let namesake = directory.url.appendingPathComponent(String(repeating: "0", count: 32) + ".fmimage")
        let half = directory.url.appendingPathComponent(String(repeating: "1", count: 32) + ".fmtemp")
        for file in [foreign, namesake, half] { try bytes(7).write(to: file) }
        #expect(try held(open()) == "a")
        // It may be another process's that is still writing.
        #expect(try directory.files().contains { $0.lastPathComponent == half.lastPathComponent })
        let longAgo = Date(timeIntervalSinceNow: -3_700)
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: half.path)
        #expect(try held(open()) == "a")
        let names = try directory.files().map(\.lastPathComponent)
        #expect(names.contains("notes.txt") && names.contains(namesake.lastPathComponent))
        #expect(!names.contains(half.lastPathComponent))
    }

    @Test func `says that its directory cannot be used`() throws {
        try FileManager.default.removeItem(at: directory.url)
        try bytes(1).write(to: directory.url)
        let error = #expect(throws: FeedError.self) { try open() }
        #expect(error?.code == .cacheUnusable)
    }

    @Test(
        arguments: [
            ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
            ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
        ]
    )
    func `names files by the published hash`(key: String, name: String) throws {
        var cache = try open()
        try cache.store(bytes(1), for: key)
        #expect(try images().map(\.lastPathComponent) == ["\(name).fmimage"])
    }

    @Test func `keeps out keys that are too long`() throws {
        var cache = try open()
        try cache.store(bytes(1), for: String(repeating: "k", count: 4_097))
        #expect(cache.count == 0)
    }
}
