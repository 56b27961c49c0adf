// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct OpeningTests {
    let directory: TemporaryDirectory
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        path = try .named("a")
    }

    @Test func `finds what was stored before, and goes on counting generations`() throws {
        let stored = try SQLiteObjectStore.make(directory).put([1, 2], at: path)
        let reopened = try SQLiteObjectStore.make(directory, at: testTime - 5)
        #expect(try reopened.metadata(at: path) == stored)
        #expect(try reopened.bytes(at: path) == [1, 2])
        #expect(try reopened.delete(at: path))
        #expect(try reopened.put([], at: path).generation == testTime + 1)
    }

    @Test func `creates the directory and those above it`() throws {
        let store = try SQLiteObjectStore(directory: directory.path + "/x/y", clock: { testTime })
        let upload = try store.beginUpload()
        _ = try upload.commit(to: path)
        #expect(try store.bytes(at: path) == [])
    }

    @Test func `refuses a directory in use, by name`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let error = #expect(throws: ObjectStoreError.self) { try SQLiteObjectStore.make(directory) }
        #expect(error?.code == .directoryInUse)
        #expect(error?.message.contains(directory.path) == true)
        #expect(try store.buckets().isEmpty)
    }

    @Test func `a closed store lets another open the directory, although somebody still holds it`() throws {
        let closed = try SQLiteObjectStore.make(directory)
        _ = try closed.put([1], at: path)
        try closed.close()
        let next = try SQLiteObjectStore.make(directory)
        #expect(try next.bytes(at: path) == [1])
        #expect(throws: ObjectStoreError.self) { try closed.bytes(at: path) }
    }

    @Test(.disabled(if: geteuid() == 0, "nothing is read-only for root"))
    func `refuses a read-only directory, by name`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path) }
        let error = #expect(throws: ObjectStoreError.self) { try SQLiteObjectStore.make(directory) }
        #expect(error?.code == .directoryNotWritable)
        #expect(error?.message.contains(directory.path) == true)
    }

    @Test func `refuses a directory that is a file`() throws {
        let file = directory.path + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: Data()))
        let code = try errorCode { _ = try SQLiteObjectStore(directory: file, clock: { 0 }) }
        #expect(code == .inputOutput)
    }

    @Test func `refuses a damaged database`() throws {
        let contents = Data(repeating: 0x58, count: 4_096)
        #expect(FileManager.default.createFile(atPath: directory.path + "/objects.sqlite", contents: contents))
        #expect(try errorCode { _ = try SQLiteObjectStore.make(directory) } == .corrupt)
    }

    @Test func `sweeps orphans and keeps what is referenced`() throws {
        let stored = try SQLiteObjectStore.make(directory).put([1], at: path)
        let kept = try directory.dataFiles()
        let orphan = String(repeating: "ab", count: 16)
        let blobs = directory.path + "/blobs"
        try FileManager.default.createDirectory(atPath: blobs + "/ab", withIntermediateDirectories: true)
        for file in ["/blobs/ab/\(orphan)", "/uploads/\(orphan)", "/blobs/ab/not-a-blob"] {
            #expect(FileManager.default.createFile(atPath: directory.path + file, contents: Data([9])))
        }
        let reopened = try SQLiteObjectStore.make(directory)
        #expect(try directory.dataFiles() == (kept + ["blobs/ab/not-a-blob"]).sorted())
        #expect(try reopened.metadata(at: path) == stored)
        #expect(try reopened.bytes(at: path) == [1])
    }

    @Test func `reports bytes that are missing or damaged`() throws {
        let store = try SQLiteObjectStore.make(directory)
        try store.put([1, 2], at: path)
        let blob = try #require(try directory.dataFiles().first)
        #expect(FileManager.default.createFile(atPath: directory.path + "/" + blob, contents: Data([1])))
        #expect(try errorCode { _ = try store.open(path) } == .corrupt)
        try FileManager.default.removeItem(atPath: directory.path + "/" + blob)
        #expect(try errorCode { _ = try store.open(path) } == .corrupt)
    }
}
