// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A source whose beginning can be looked at before it is read; so a pipe's format is found, too.
final class PeekedSource: ByteSource {
    private static let byteCountMax = 64 << 10

    private let base: any ByteSource
    /// The bytes that were looked at and are not yet read.
    private var peeked: ArraySlice<UInt8> = []

    init(_ base: any ByteSource) { self.base = base }

    /// The first 64 KiB, or all of a shorter source; only before anything is read.
    func beginning() throws -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: Self.byteCountMax)
        var count = peeked.count
        bytes.replaceSubrange(0..<count, with: peeked)
        while count < bytes.count {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try base.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            }
            guard read > 0 else { break }
            count += read
        }
        peeked = bytes[..<count]
        return peeked
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !peeked.isEmpty else { return try base.read(into: buffer) }
        let count = min(buffer.count, peeked.count)
        peeked.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        peeked = peeked.dropFirst(count)
        return count
    }
}
