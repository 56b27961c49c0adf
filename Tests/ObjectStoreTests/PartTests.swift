// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct PartTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory, objectByteCountMax: 100)
        path = try .named("a")
    }

    private func begin(customerKeyHash: String? = nil) throws -> String {
        let attributes = ObjectAttributes(contentType: "a/b", customMetadata: ["k": "v"])
        return try store.beginParts(of: path, attributes: attributes, customerKeyHash: customerKeyHash)
    }

    @discardableResult
    private func put(_ bytes: [UInt8], _ number: Int, _ id: String, in store: SQLiteObjectStore) throws -> NamedPart {
        let upload = try store.beginPart(number, of: id, at: path, customerKeyHash: nil)
        try bytes.withUnsafeBytes { try upload.append($0) }
        let part = try upload.keep(expected: .anything)
        return NamedPart(number: number, entityTag: part.digest.md5Hex ?? "")
    }

    private func refusal(_ body: () throws -> Void) throws -> PartStoringError? {
        do {
            try body()
            return nil
        } catch let error as PartStoringError {
            return error
        }
    }

    @Test func `makes an object of the parts that are named, and keeps no other bytes`() throws {
        let id = try begin()
        let second = try put([3, 4], 2, id, in: store)
        try put([9], 1, id, in: store)
        let first = try put([1, 2], 1, id, in: store)
        try put([7], 3, id, in: store)
        #expect(try store.metadata(at: path) == nil)
        let object = try store.completeParts([first, second], of: id, at: path)
        #expect(try store.bytes(at: path) == [1, 2, 3, 4])
        #expect(object.attributes.customMetadata == ["k": "v"])
        #expect(object.digest.md5 == nil)
        #expect(try object.digest.crc32c == store.put([1, 2, 3, 4], at: .named("same")).digest.crc32c)
        #expect(try directory.dataFiles().count == 2)
        #expect(try refusal { _ = try store.parts(of: id, at: path) } == .noSuchUpload)
    }

    @Test func `keeps parts over a restart, for a week`() throws {
        let place = TemporaryDirectory()
        let id: String
        let part: NamedPart
        do {
            let store = try SQLiteObjectStore.make(place)
            id = try store.beginParts(of: path, attributes: ObjectAttributes(), customerKeyHash: nil)
            part = try put([1], 1, id, in: store)
        }
        let week: Int64 = 7 * 24 * 3_600 * 1_000_000
        do {
            let store = try SQLiteObjectStore.make(place, at: testTime + week)
            #expect(try store.parts(of: id, at: path).map(\.number) == [1])
        }
        let store = try SQLiteObjectStore.make(place, at: testTime + week + 1)
        #expect(try refusal { _ = try store.completeParts([part], of: id, at: path) } == .noSuchUpload)
        #expect(try place.dataFiles().isEmpty)
    }

    @Test func `changes nothing when a part is not as it is named, or the object not as it must be`() throws {
        let id = try begin()
        let part = try put([1], 1, id, in: store)
        let wrong = NamedPart(number: 1, entityTag: "x")
        #expect(try refusal { _ = try store.completeParts([wrong], of: id, at: path) } == .partMissing(1))
        let guarded = ObjectPreconditions(ifGenerationMatch: 1)
        let code = try errorCode { _ = try store.completeParts([part], of: id, at: path, preconditions: guarded) }
        #expect(code == .preconditionFailed)
        #expect(try store.parts(of: id, at: path).count == 1)
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `leaves nothing of what is aborted or too large`() throws {
        let id = try begin()
        try put([1], 1, id, in: store)
        let open = try store.beginPart(2, of: id, at: path, customerKeyHash: nil)
        #expect(
            try errorCode { try [UInt8](repeating: 1, count: 101).withUnsafeBytes { try open.append($0) } } == .tooLarge
        )
        try store.abortParts(of: id, at: path)
        #expect(try directory.dataFiles().isEmpty)
        #expect(try refusal { try store.abortParts(of: id, at: path) } == .noSuchUpload)
    }

    @Test func `takes parts with the key of their upload only`() throws {
        let id = try begin(customerKeyHash: "h")
        #expect(try refusal { try put([1], 1, id, in: store) } == .wrongKey)
        let other = try ObjectPath.named("b")
        #expect(
            try refusal { _ = try store.beginPart(1, of: id, at: other, customerKeyHash: "h") } == .noSuchUpload
        )
    }
}
