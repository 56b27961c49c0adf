// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Where in a database's time a client was: opaque to it, good for any target of the database.
struct ResumeToken: Equatable {
    let time: Timestamp

    init(time: Timestamp) {
        self.time = time
    }

    /// - Returns: `nil` for bytes that are not a token of this database.
    init?(_ bytes: [UInt8], of database: DatabaseID) {
        guard bytes.count == Self.byteCount else { return nil }
        let microseconds = Int64(bitPattern: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
        self.time = Timestamp(microseconds: microseconds)
        guard time.isValid, self.bytes(of: database) == bytes else { return nil }
    }

    /// The time, then a check that ties it to the database.
    func bytes(of database: DatabaseID) -> [UInt8] {
        let time = Self.bytes(UInt64(bitPattern: self.time.microseconds))
        return time + Self.bytes(Self.check(Array(database.name.utf8) + time))
    }

    private static let byteCount = 16

    /// FNV-1a.
    private static func check(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
