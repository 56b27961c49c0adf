// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct UploadTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory, objectByteCountMax: 10)
        path = try .named("a")
    }

    @Test func `joins what is appended`() throws {
        let upload = try store.beginUpload()
        for piece in ["hello", "", " worl"] {
            try Array(piece.utf8).withUnsafeBytes { try upload.append($0) }
        }
        #expect(upload.byteCount == 10)
        #expect(try store.metadata(at: path) == nil)
        let stored = try upload.commit(to: path)
        #expect(try store.bytes(at: path) == Array("hello worl".utf8))
        #expect(stored.digest.md5Hex == "30ba0f6f3d24bab0d65c126188d0cf55")
        #expect(upload.byteCount == 10)
    }

    @Test func `leaves nothing of an abandoned upload`() throws {
        let upload = try store.beginUpload()
        try [1, 2].withUnsafeBytes { try upload.append(UnsafeRawBufferPointer(rebasing: $0[..<2])) }
        #expect(try directory.dataFiles().count == 1)
        upload.abandon()
        #expect(try directory.dataFiles().isEmpty)
        #expect(try errorCode { _ = try upload.commit(to: path) } == .uploadEnded)
        #expect(try errorCode { try upload.append(UnsafeRawBufferPointer(start: nil, count: 0)) } == .uploadEnded)
    }

    @Test func `leaves nothing of a forgotten upload`() throws {
        var upload: ObjectUpload? = try store.beginUpload()
        #expect(upload?.byteCount == 0)
        upload = nil
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `commits once`() throws {
        let upload = try store.beginUpload()
        let stored = try upload.commit(to: path)
        #expect(try errorCode { _ = try upload.commit(to: path) } == .uploadEnded)
        upload.abandon()
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.bytes(at: path) == [])
    }

    @Test func `refuses an object past the limit`() throws {
        try store.put([UInt8](repeating: 7, count: 10), at: path)
        let upload = try store.beginUpload()
        try [UInt8](repeating: 8, count: 10).withUnsafeBytes { try upload.append($0) }
        #expect(try errorCode { try [UInt8(8)].withUnsafeBytes { try upload.append($0) } } == .tooLarge)
        #expect(try errorCode { _ = try upload.commit(to: path) } == .uploadEnded)
        #expect(try store.bytes(at: path) == [UInt8](repeating: 7, count: 10))
        #expect(try directory.dataFiles().count == 1)
    }

    @Test(
        "refuses bytes with other checksums than expected",
        arguments: [
            (ExpectedDigest.md5(base64: "XrY7u+Ae7tCTyyK7j1rNww=="), UInt32?.none, false),
            (nil, 1, false), (ExpectedDigest.md5(base64: "1B2M2Y8AsgTpgAmY7PhCfg=="), 0, true), (nil, nil, true),
        ]
    )
    func checks(md5: [UInt8]?, crc32c: UInt32?, isMet: Bool) throws {
        let expected = ExpectedDigest(md5: md5, crc32c: crc32c)
        let code = try errorCode { try store.put([], at: path, expected: expected) }
        #expect(code == (isMet ? nil : .hashMismatch))
        #expect(try directory.dataFiles().count == (isMet ? 1 : 0))
    }

    @Test func `keeps the replaced object when the blob cannot be placed`() throws {
        let stored = try store.put([1], at: path)
        let blobs = directory.path + "/blobs"
        try FileManager.default.moveItem(atPath: blobs, toPath: blobs + ".away")
        #expect(FileManager.default.createFile(atPath: blobs, contents: Data()))
        #expect(try errorCode { try store.put([2], at: path) } == .inputOutput)
        try FileManager.default.removeItem(atPath: blobs)
        try FileManager.default.moveItem(atPath: blobs + ".away", toPath: blobs)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.bytes(at: path) == [1])
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `stores concurrent uploads to one path one after the other`() throws {
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            _ = try? store.put([UInt8(number)], at: path)
        }
        let stored = try #require(try store.metadata(at: path))
        #expect(stored.generation == testTime + 63)
        #expect(try store.bytes(at: path)?.count == 1)
        #expect(try directory.dataFiles().count == 1)
    }
}
