// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct ResumableUploadTests {
    let directory: TemporaryDirectory
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        path = try .named("a")
    }

    private func append(_ text: String, to upload: ResumableUpload, _ turn: ResumableUpload.Turn) throws {
        try Array(text.utf8).withUnsafeBytes { try upload.append($0, in: turn) }
        try upload.synchronize()
    }

    @Test func `goes on where it stood when the store is opened again`() throws {
        var id: UploadID?
        do {
            let store = try SQLiteObjectStore.make(directory)
            let upload = try store.beginResumableUpload(request: "requested")
            try append("hello", to: upload, upload.takeTurn())
            id = upload.id
        }
        let store = try SQLiteObjectStore.make(directory)
        let begun = try #require(id)
        let upload = try #require(try store.resumableUpload(begun))
        #expect(upload.request == "requested")
        #expect(try upload.progress() == .active(byteCount: 5))
        let turn = upload.takeTurn()
        try append(" world", to: upload, turn)
        #expect(try upload.runningDigest().sums.md5Base64 == "XrY7u+Ae7tCTyyK7j1rNww==")
        let object = try upload.commit(UploadPlacement(path: path), in: turn)
        #expect(object.digest.md5Base64 == "XrY7u+Ae7tCTyyK7j1rNww==")
        #expect(try store.bytes(at: path) == Array("hello world".utf8))
        #expect(try upload.progress() == .completed(path, generation: object.generation, byteCount: 11))
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `tells the result to whoever asks after it is complete, and after a restart`() throws {
        let id: UploadID
        do {
            let store = try SQLiteObjectStore.make(directory)
            let upload = try store.beginResumableUpload(request: "")
            let turn = upload.takeTurn()
            try append("x", to: upload, turn)
            _ = try upload.commit(UploadPlacement(path: path), in: turn)
            #expect(try errorCode { try append("y", to: upload, upload.takeTurn()) } == .uploadEnded)
            id = upload.id
        }
        let store = try SQLiteObjectStore.make(directory)
        let progress = try #require(try store.resumableUpload(id)).progress()
        #expect(progress == .completed(path, generation: testTime, byteCount: 1))
    }

    @Test func `lets only the latest request append`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let upload = try store.beginResumableUpload(request: "")
        let first = upload.takeTurn()
        try append("a", to: upload, first)
        let same = try #require(try store.resumableUpload(upload.id))
        let second = same.takeTurn()
        #expect(try errorCode { try append("b", to: upload, first) } == .uploadEnded)
        try append("c", to: same, second)
        #expect(try upload.progress() == .active(byteCount: 2))
    }

    @Test func `leaves nothing of a cancelled or failed upload`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let upload = try store.beginResumableUpload(request: "")
        try append("a", to: upload, upload.takeTurn())
        try upload.cancel()
        try upload.cancel()
        #expect(try upload.progress() == .cancelled)
        #expect(try directory.dataFiles().isEmpty)
        let failing = try store.beginResumableUpload(request: "")
        let turn = failing.takeTurn()
        try append("a", to: failing, turn)
        let wrong = ExpectedDigest(crc32c: 0)
        let code = try errorCode {
            _ = try failing.commit(UploadPlacement(path: path, expected: wrong), in: turn)
        }
        #expect(code == .hashMismatch)
        #expect(try failing.progress() == .cancelled)
        #expect(try store.metadata(at: path) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `forgets an upload after a week`() throws {
        let week: Int64 = 7 * 24 * 3_600 * 1_000_000
        let id: UploadID
        do {
            let store = try SQLiteObjectStore.make(directory)
            let upload = try store.beginResumableUpload(request: "")
            try append("a", to: upload, upload.takeTurn())
            id = upload.id
        }
        do {
            let store = try SQLiteObjectStore.make(directory, at: testTime + week)
            #expect(try store.resumableUpload(id) != nil)
        }
        let store = try SQLiteObjectStore.make(directory, at: testTime + week + 1)
        #expect(try store.resumableUpload(id) == nil)
        #expect(try directory.dataFiles().isEmpty)
    }

    @Test func `knows no upload that was never begun`() throws {
        let store = try SQLiteObjectStore.make(directory)
        #expect(UploadID("1") == nil)
        let id = try #require(UploadID(String(repeating: "a", count: 32)))
        #expect(try store.resumableUpload(id) == nil)
    }

    @Test func `keeps hundreds of uploads going`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let ids = try (0..<300).map { _ in try store.beginResumableUpload(request: "").id }
        for round in 0..<2 {
            for id in ids {
                let upload = try #require(try store.resumableUpload(id))
                #expect(try upload.progress() == .active(byteCount: Int64(round)))
                try append("x", to: upload, upload.takeTurn())
            }
        }
    }
}
