// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import SessionLog
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImageFileStoreTests {
    private let directory = TemporaryDirectory()

    private func makeStore() throws -> ImageFileStore { try ImageFileStore(directory: directory.url) }

    private static func image(_ shade: UInt8) throws -> Data {
        Data(
            try JPEGEncoder.encode(
                PixelBuffer(width: 8, height: 8, bytes: Array(repeating: shade, count: 192)),
                quality: 80
            )
        )
    }

    @Test func `saves, loads and deletes by id`() async throws {
        let store = try makeStore()
        let ids = [try await store.save(Self.image(1)), try await store.save(Self.image(2))]
        #expect(try await store.load(ids[0]) == Self.image(1))
        #expect(try await makeStore().ids() == ids.sorted { $0.uuidString < $1.uuidString })
        try await store.save(Self.image(3), as: ids[0])
        #expect(try await store.load(ids[0]) == Self.image(3))
        try await store.delete(ids[0])
        try await store.delete(ids[0])
        #expect(try await store.ids() == [ids[1]])
    }

    @Test func `says why it has no image`() async throws {
        let store = try makeStore()
        let missing = UUID()
        await #expect(throws: ImageFileError.self) { try await store.load(missing) }
        do {
            _ = try await store.load(missing)
        } catch {
            guard case .failedRead(missing, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        let id = try await store.save(Self.image(1))
        let file = try #require(try directory.files().first)
        try Data("no image any more".utf8).write(to: file)
        do {
            _ = try await store.load(id)
        } catch {
            guard case .invalidData(id, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.description.contains(id.uuidString))
        }
    }

    @Test func `writes nothing that is no image`() async throws {
        let store = try makeStore()
        await #expect(throws: ImageFileError.self) { try await store.save(Data("text".utf8)) }
        #expect(try directory.files().isEmpty)
    }

    @Test func `refuses a directory that cannot be made`() throws {
        try FileManager.default.removeItem(at: directory.url)
        try Data().write(to: directory.url)
        #expect(throws: ImageFileError.invalidPath(directory.url.path)) { try makeStore() }
    }

    @Test func `says that it cannot write`() async throws {
        let store = try makeStore()
        try FileManager.default.removeItem(at: directory.url)
        do {
            try await store.save(Self.image(1))
            Issue.record("wrote into nothing")
        } catch {
            guard case ImageFileError.failedWrite = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [TaskPriority.background, .medium, .high])
    func `writes at utility priority, whoever waits for it`(callerPriority: TaskPriority) async throws {
        let priorities = Locked<[TaskPriority]>([])
        let store = try ImageFileStore(directory: directory.url) { data, file in
            priorities.withLock { $0.append(Task.currentPriority) }
            try data.write(to: file)
        }
        let id = try await Task(priority: callerPriority) {
            let id = try await store.save(Self.image(1))
            #expect(Task.currentPriority >= callerPriority)
            return id
        }.value
        #expect(priorities.withLock { $0 } == [.utility])
        #expect(try await store.load(id) == Self.image(1))
    }

    @Test func `joins records with their images in order, and fills in for those that fail`() async throws {
        struct Record: Sendable, Equatable {
            let name: String
            let imageID: UUID?
        }
        let store = try makeStore()
        var records: [Record] = []
        for shade in 0..<20 as Range<UInt8> {
            let id: UUID? = shade % 5 == 1 ? nil : shade % 5 == 2 ? UUID() : try await store.save(Self.image(shade))
            records.append(Record(name: "r\(shade)", imageID: id))
        }
        let placeholder = Data("grey".utf8)
        let illustrated = try await store.illustrate(records, placeholder: placeholder) { $0.imageID }
        #expect(illustrated.map(\.record) == records)
        for (shade, record) in illustrated.enumerated() {
            switch shade % 5 {
            case 1: #expect(record.image == placeholder && record.error == nil)
            case 2: #expect(record.image == placeholder && record.error != nil)
            default: #expect(try record.image == Self.image(UInt8(shade)) && record.error == nil)
            }
        }
    }
}
