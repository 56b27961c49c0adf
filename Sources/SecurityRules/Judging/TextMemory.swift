// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Memory for texts that are kept for as long as a request is judged.
final class TextMemory {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 1)
    private var count = 0

    deinit { bytes.deallocate() }

    /// Forgets all texts, and makes room for others.
    func empty(for byteCount: Int) {
        count = 0
        guard byteCount > bytes.count else { return }
        bytes.deallocate()
        bytes = .allocate(byteCount: byteCount, alignment: 1)
    }

    /// Copies a text, for which there must be room.
    func append(_ text: String) -> UnsafeRawBufferPointer {
        var text = text
        return text.withUTF8 { text in
            let copy = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<(count + text.count)])
            copy.copyMemory(from: UnsafeRawBufferPointer(text))
            count += text.count
            return UnsafeRawBufferPointer(copy)
        }
    }
}
