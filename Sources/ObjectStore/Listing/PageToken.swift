// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The place where a page ended: base64 of its last entry, an object's name or a common prefix.
///
/// As production's v0 API does, recorded in 2026. Deleting that object does not invalidate the token. Where versions are
/// listed, the generation follows in decimal digits, behind a byte that no name holds.
struct PageToken: Equatable {
    private static let separator: UInt8 = 0xFF

    /// The name of the last object, or the last common prefix.
    var entry: Data
    /// The last version of the object, where versions are listed.
    var generation: Int64?

    init(entry: Data, generation: Int64? = nil) {
        self.entry = entry
        self.generation = generation
    }

    init(decoding token: String) throws {
        guard let bytes = Data(base64Encoded: token) else { throw ObjectStoreError.invalidPageToken }
        let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard let entry = parts.first, (1...ObjectName.byteCountMax).contains(entry.count), parts.count <= 2 else {
            throw ObjectStoreError.invalidPageToken
        }
        self.entry = Data(entry)
        if parts.count == 2 {
            guard let generation = Int64(String(decoding: parts[1], as: UTF8.self)) else {
                throw ObjectStoreError.invalidPageToken
            }
            self.generation = generation
        }
    }

    var encoded: String {
        let suffix = generation.map { [Self.separator] + Array(String($0).utf8) } ?? []
        return (entry + suffix).base64EncodedString()
    }
}
