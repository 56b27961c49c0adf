// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CPageFiles

extension page_files {
    /// The files by their names.
    package var byName: [String: [UInt8]] {
        let files = UnsafeBufferPointer(start: first, count: count).map { file in
            (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.byte_count)))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }
}
