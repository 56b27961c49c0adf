// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import ObjectStore
import Testing

@testable import StorageServer

@Suite(.timeLimit(.minutes(5))) struct GunzippingTests {
    let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    private func gunzip(_ stored: [UInt8]) throws -> [UInt8] {
        try fixture.store(stored, at: "a")
        let path = try #require(ObjectPath(bucket: "bkt", name: "a"))
        let reader = try GunzippingReader(#require(try fixture.store.open(path)))
        var bytes: [UInt8] = []
        while let piece = try reader.next() {
            #expect(piece.readableBytes <= ObjectReader.pieceByteCount)
            bytes += piece.readableBytesView
        }
        #expect(try reader.next() == nil)
        return bytes
    }

    @Test(arguments: [0, 1, 65_536, 256 << 10, (256 << 10) + 1, 3_000_000])
    func `gives back what was compressed`(byteCount: Int) throws {
        // Multiplied digits compress a little, so that the larger need several pieces of input.
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: ($0 &* $0) >> 7) }
        #expect(try gunzip(gzip(bytes)) == bytes)
        let zeros = [UInt8](repeating: 0, count: byteCount)
        #expect(try gunzip(gzip(zeros)) == zeros)
    }

    @Test func `joins members, and passes over what fills the last block`() throws {
        let members = gzip([1, 2]) + gzip([]) + gzip([3])
        #expect(try gunzip(members) == [1, 2, 3])
        #expect(try gunzip(members + [UInt8](repeating: 0, count: 100_000)) == [1, 2, 3])
        let many = Array(repeating: gzip([]), count: 9_000).flatMap { $0 }
        #expect(try gunzip(many + gzip([4])) == [4])
    }

    @Test(arguments: [[7], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 7, 0], [0, 0, 7], Array("behind its end".utf8)])
    func `ignores bytes behind the end that begin no member`(rest: [UInt8]) throws {
        #expect(try gunzip(gzip([1, 2]) + rest) == [1, 2])
        #expect(try gunzip(gzip([1]) + gzip([2]) + rest + [UInt8](repeating: 5, count: 100_000)) == [1, 2])
    }

    @Test func `gives out what precedes the place where it fails`() throws {
        var stored = gzip([UInt8](repeating: 7, count: 1_000))
        stored[stored.count - 5] ^= 1
        try fixture.store(stored, at: "a")
        let path = try #require(ObjectPath(bucket: "bkt", name: "a"))
        let reader = try GunzippingReader(#require(try fixture.store.open(path)))
        #expect(try reader.next()?.readableBytes == 1_000)
        for _ in 0..<2 { #expect(throws: StorageFailure.self) { try reader.next() } }
    }

    @Test func `refuses what is cut short or changed`() throws {
        let whole = gzip(Array("hello world".utf8))
        for count in [3, 10, whole.count - 8, whole.count - 1] {
            #expect(throws: StorageFailure.self) { try gunzip(Array(whole[..<count])) }
        }
        var changed = whole
        changed[whole.count - 5] ^= 1
        #expect(throws: StorageFailure.self) { try gunzip(changed) }
        #expect(throws: StorageFailure.self) { try gunzip(Array("plain text".utf8)) }
    }
}
