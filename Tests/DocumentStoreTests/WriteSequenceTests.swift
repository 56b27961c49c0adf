// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct WriteSequenceTests {
    private enum Step {
        case set(exists: Bool?)
        case delete(exists: Bool?)
        case verify(exists: Bool)

        func write(_ path: DocumentPath) -> Write {
            switch self {
            case .set(let exists): .set(path, fields: [:], precondition: exists.map { .exists($0) })
            case .delete(let exists): .delete(path, precondition: exists.map { .exists($0) })
            case .verify(let exists): .verify(path, precondition: .exists(exists))
            }
        }
    }

    private static let refused: [([Step], String)] = [
        ([.set(exists: nil), .set(exists: false)], "Cannot upsert then insert an entity in the same request."),
        ([.set(exists: true), .set(exists: false)], "Cannot update then insert an entity in the same request."),
        ([.set(exists: false), .set(exists: false)], "Cannot insert then insert an entity in the same request."),
        ([.set(exists: nil), .delete(exists: false)], "Cannot upsert then delete an entity in the same request."),
        ([.delete(exists: nil), .set(exists: true)], "Cannot delete then update an entity in the same request."),
        ([.delete(exists: nil), .delete(exists: true)], "Cannot delete then delete an entity in the same request."),
        ([.delete(exists: true), .set(exists: true)], "Cannot delete then update an entity in the same request."),
        (
            [.set(exists: false), .set(exists: nil), .set(exists: false)],
            "Cannot insert then insert an entity in the same request."
        ),
        (
            [.delete(exists: nil), .set(exists: false), .set(exists: false)],
            "Cannot upsert then insert an entity in the same request."
        ),
        (
            [.delete(exists: true), .set(exists: false), .delete(exists: false)],
            "Cannot update then delete an entity in the same request."
        ),
        (
            [.verify(exists: false), .set(exists: nil)],
            "the same document cannot be verified and then written in a single request"
        ),
        (
            [.delete(exists: nil), .verify(exists: false)],
            "the same document cannot be written and then verified in a single request"
        ),
        (
            [.verify(exists: true), .verify(exists: true)],
            "the same document cannot be verified more than once in a single request"
        ),
    ]

    @Test func `refuses what no document could go through in the official emulator's words`() throws {
        let store = try makeStore()
        for (steps, message) in Self.refused {
            let writes = try steps.map { $0.write(try path("w/a")) }
            #expect(refusal { _ = try store.commit(writes, in: demo) } == "INVALID_ARGUMENT: \(message)")
        }
    }

    private static let accepted: [[Step]] = [
        [.set(exists: nil), .set(exists: true), .delete(exists: true), .set(exists: false)],
        [.delete(exists: nil), .delete(exists: nil), .delete(exists: false), .set(exists: false), .set(exists: true)],
        [.set(exists: true), .delete(exists: nil), .set(exists: nil)],
    ]

    @Test func `lets through what a document can go through`() throws {
        let store = try makeStore()
        for steps in Self.accepted {
            let writes = try steps.map { $0.write(try path("w/a")) }
            _ = try store.commit(writes, in: demo)
            #expect(try store.document("w/a") != nil)
        }
    }

    @Test func `refuses update times that differ from the first write's`() throws {
        let store = try makeStore()
        let time = try store.commit([.set(path("w/a"), fields: [:])], in: demo).commitTime
        let timed = Write.set(try path("w/a"), fields: [:], precondition: .updateTime(time))
        let free = Write.set(try path("w/a"), fields: [:])
        let version = "VersionPrecondition{exactBaseVersion=\(time.microseconds), maxBaseVersion=null}"
        #expect(
            refusal { _ = try store.commit([free, timed], in: demo) } == """
                INVALID_ARGUMENT: Cannot collapse mutations with different version preconditions (null and \(version))
                """
        )
        #expect(
            refusal { _ = try store.commit([.delete(path("w/a")), timed], in: demo) }
                == "INVALID_ARGUMENT: Cannot delete then update an entity in the same request."
        )
        _ = try store.commit([timed, free, timed], in: demo)
    }

    @Test func `other documents do not matter`() throws {
        let store = try makeStore()
        _ = try store.commit([.delete(path("w/a")), .create(path("w/b"), fields: [:])], in: demo)
        #expect(try store.document("w/b") != nil)
    }
}
