// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

struct DiskCacheTests {
    private let directory = TemporaryDirectory()

    private func open(byteCountMax: Int = 1_000) throws -> DiskCache {
        try DiskCache(directory: directory.url, byteCountMax: byteCountMax)
    }

    private func bytes(_ byte: UInt8, _ count: Int = 100) -> Data { Data(repeating: byte, count: count) }

    @Test func `survives being opened again, with its order`() throws {
        var cache = try open()
        for (ticket, key) in ["a", "b", "c"].enumerated() {
            try cache.store(bytes(UInt8(ticket)), for: key, ticket: UInt64(ticket + 1))
        }
        #expect(cache.data(for: "a", ticket: 9) == bytes(0))

        var reopened = try open()
        #expect(reopened.keysFromOldest == ["b", "c", "a"])
        #expect(reopened.byteCount == 300)
        #expect(reopened.ticketMaxOnOpen == 9)
        #expect(reopened.data(for: "b", ticket: 10) == bytes(1))
        #expect(reopened.data(for: "x", ticket: 11) == nil)
    }

    @Test func `drops the least recently asked for, also from the directory`() throws {
        var cache = try open(byteCountMax: 250)
        for (ticket, key) in ["a", "b", "c"].enumerated() {
            try cache.store(bytes(UInt8(ticket)), for: key, ticket: UInt64(ticket + 1))
        }
        #expect(cache.keysFromOldest == ["b", "c"])
        #expect(try directory.files().count == 2)
        try cache.store(bytes(9, 251), for: "large", ticket: 4)
        #expect(cache.keysFromOldest == ["b", "c"])
        #expect(try directory.files().count == 2)
    }

    @Test func `shrinks to a smaller limit when opened`() throws {
        var cache = try open()
        for (ticket, key) in ["a", "b", "c"].enumerated() {
            try cache.store(bytes(UInt8(ticket)), for: key, ticket: UInt64(ticket + 1))
        }
        #expect(try open(byteCountMax: 150).keysFromOldest == ["c"])
        #expect(try directory.files().count == 1)
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
        try cache.store(bytes(1), for: "a", ticket: 1)
        let file = try #require(try directory.files().first)
        try cache.store(bytes(2), for: "b", ticket: 2)
        let other = try #require(try directory.files().first { $0.path != file.path })
        try damage.apply(to: file, other: other)
        if isReopened { cache = try open() }
        #expect(cache.data(for: "a", ticket: 3) == nil)
        #expect(cache.data(for: "b", ticket: 4) == bytes(2))
        try cache.store(bytes(1), for: "a", ticket: 5)
        #expect(cache.data(for: "a", ticket: 6) == bytes(1))
        #expect(cache.keysFromOldest == ["b", "a"])
    }

    @Test func `leaves foreign files alone and clears what a crash left half-written`() throws {
        var cache = try open()
        try cache.store(bytes(1), for: "a", ticket: 1)
        let image = try #require(try directory.files().first)
        let foreign = directory.url.appendingPathComponent("notes.txt")
        let namesake = directory.url.appendingPathComponent(String(repeating: "0", count: 32) + ".fmimage")
        let half = image.deletingPathExtension().appendingPathExtension("fmpart")
        for file in [foreign, namesake, half] { try bytes(7).write(to: file) }
        #expect(try open().keysFromOldest == ["a"])
        let names = try directory.files().map(\.lastPathComponent)
        #expect(names == [image, foreign, namesake].map(\.lastPathComponent).sorted())
    }

    @Test func `says that its directory cannot be used`() throws {
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
        try cache.store(bytes(1), for: key, ticket: 1)
        #expect(try directory.files().map(\.lastPathComponent) == ["\(name).fmimage"])
    }
}
