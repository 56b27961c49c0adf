// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of the cache's files in its directory; all others are foreign and stay untouched.
package enum CacheFileName {
    static let image = "fmimage"
    static let partial = "fmpart"
    static let temporary = "fmtemp"
    static let journal = "index.fmjournal"
    static let newJournal = "index.fmtemp"
    static let lock = "index.fmlock"

    /// The name of a key's files without their extension.
    package static func stem(of key: String) -> String { FNV1a128.hexadecimal(of: key.utf8) }

    /// The stem of a file with one of the extensions, if it is the cache's own.
    static func stem(ofFile name: String, extension nameExtension: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == nameExtension, FNV1a128.isHexadecimal(parts[0]) else { return nil }
        return String(parts[0])
    }
}
