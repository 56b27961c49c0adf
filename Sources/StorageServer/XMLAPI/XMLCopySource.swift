// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

/// The header field `x-goog-copy-source`: `/BUCKET/OBJECT`, percent-coded, with or without the first slash.
enum XMLCopySource {
    /// Reads the field.
    static func path(_ text: String) throws(XMLFailure) -> ObjectPath {
        let parts = text.drop { $0 == "/" }.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let bucket = PercentCoding.decode(parts[0]), let name = PercentCoding.decode(parts[1]),
            let path = ObjectPath(bucket: bucket, name: name)
        else {
            throw .invalidArgument("x-goog-copy-source must be of the form /BUCKET/OBJECT.")
        }
        return path
    }
}
