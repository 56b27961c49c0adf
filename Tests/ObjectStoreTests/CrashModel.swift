// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Testing

/// What must be stored after the acknowledged operations, and the one operation that may or may not have happened.
struct CrashModel {
    /// An object's contents: one byte, repeated.
    struct Contents: Hashable {
        var fill: UInt8
        var count: Int

        var bytes: [UInt8] { [UInt8](repeating: fill, count: count) }
    }

    private enum Operation {
        case put(String, Contents)
        case delete(String)
    }

    private var acknowledged: [String: Contents] = [:]
    private var inFlight: Operation?

    /// Takes a line that the writer printed.
    mutating func note(_ line: Substring) {
        let words = line.split(separator: " ")
        switch words.prefix(2) {
        case ["begin", "put"]:
            inFlight = .put(String(words[2]), Contents(fill: UInt8(words[3]) ?? 0, count: Int(words[4]) ?? -1))
        case ["begin", "delete"]:
            inFlight = .delete(String(words[2]))
        default:
            acknowledged = after
            inFlight = nil
        }
    }

    private var after: [String: Contents] {
        var state = acknowledged
        switch inFlight {
        case .put(let name, let contents): state[name] = contents
        case .delete(let name): state[name] = nil
        case nil: break
        }
        return state
    }

    /// Checks the objects, bytes included, and goes on from the state they show.
    mutating func reconcile(with objects: [ObjectMetadata], in store: SQLiteObjectStore) throws {
        var found: [String: Contents] = [:]
        for object in objects {
            let bytes = try #require(try store.bytes(at: object.path))
            let contents = Contents(fill: bytes.first ?? 0, count: bytes.count)
            #expect(bytes == contents.bytes)
            #expect(object.byteCount == Int64(bytes.count))
            found[object.name.description] = contents
        }
        #expect(found == acknowledged || found == after)
        acknowledged = found
        inFlight = nil
    }
}
