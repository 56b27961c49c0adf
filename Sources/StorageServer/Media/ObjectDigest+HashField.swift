// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

extension ObjectDigest {
    /// The value of `x-goog-hash`: the JSON API writes its sums with a comma between, the others with a space behind it
    /// (recorded from production in 2026).
    func hashField(separator: String = ", ") -> String {
        let md5 = md5Base64.map { "\(separator)md5=\($0)" } ?? ""
        return "crc32c=\(crc32cBase64)\(md5)"
    }
}
