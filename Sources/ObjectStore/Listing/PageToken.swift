// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The place where a page ended: base64 of its last entry, an object's name or a common prefix.
///
/// As production's v0 API does, recorded in 2026. Deleting that object does not invalidate the token.
enum PageToken {
    static func encode(_ lastEntry: Data) -> String {
        lastEntry.base64EncodedString()
    }

    static func decode(_ token: String) throws -> Data {
        guard let entry = Data(base64Encoded: token), (1...ObjectName.byteCountMax).contains(entry.count) else {
            throw ObjectStoreError.invalidPageToken
        }
        return entry
    }
}
