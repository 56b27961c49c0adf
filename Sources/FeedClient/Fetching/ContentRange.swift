// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The part of an image that a response holds, `bytes 100-199/200`.
struct ContentRange: Hashable {
    let start: Int
    /// The bytes of the part.
    let byteCount: Int
    /// The bytes of the whole image, if the server knows them.
    let wholeByteCount: Int?

    init?(_ text: String?) {
        guard let text, text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" })
        guard parts.count == 3, let start = Int(parts[0]), let end = Int(parts[1]), start >= 0, end >= start else {
            return nil
        }
        self.start = start
        byteCount = end - start + 1
        wholeByteCount = Int(parts[2]).flatMap { $0 > end ? $0 : nil }
    }
}
