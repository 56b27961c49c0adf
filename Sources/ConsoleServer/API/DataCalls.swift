// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// All data of the emulator as a whole, as the console keeps, brings back, writes and loads them.
package protocol DataCalls: Sendable {
    /// The databases that have documents, as `project/database`.
    func databases() throws -> [String]
    /// The snapshots by their names.
    func snapshots() throws -> [DataSnapshot]
    /// Keeps the data under a name, in the place of a snapshot that has it; returns what there was.
    func save(_ name: SnapshotName) async throws -> String
    /// Puts the data of a snapshot in the place of all that there are; returns what there is then.
    func restore(_ name: SnapshotName) async throws -> String
    /// Deletes a snapshot.
    func delete(_ name: SnapshotName) async throws
    /// Writes an export to a directory; returns what was written.
    func export(to path: String) async throws -> String
    /// Loads an export, beside the data that there are; returns what was read.
    func load(from path: String) async throws -> String
}

/// A name that is one for a directory, too.
package struct SnapshotName: Sendable, Hashable {
    /// The longest one.
    package static let characterCountMax = 64
    /// The text.
    package let text: String

    /// Returns `nil` for a text with other characters than letters, digits, `.`, `_` and `-`, or that begins with a point.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain, !text.hasPrefix("."), (1...Self.characterCountMax).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}

/// A snapshot of all data.
package struct DataSnapshot: Sendable {
    let name: String
    let microseconds: Int64
    let byteCount: Int64

    /// Creates a description: `microseconds` since the Unix epoch is when it was made.
    package init(name: String, microseconds: Int64, byteCount: Int64) {
        (self.name, self.microseconds, self.byteCount) = (name, microseconds, byteCount)
    }

    var json: JSONText {
        .object([("name", .string(name)), ("at", .integer(microseconds)), ("bytes", .integer(byteCount))])
    }
}

/// Why data as a whole cannot be kept or brought back.
package struct DataRefusal: Error {
    let message: String

    /// Creates a refusal.
    package init(_ message: String) { self.message = message }
}
