// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns `nil` for bytes that are not UTF-8.
    init?(validUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces what is wrong, so only valid bytes come back unchanged.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
