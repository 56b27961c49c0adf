// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension OpenFile {
    private static var pieceByteCount: Int { 64 << 10 }

    /// Returns a small file.
    ///
    /// - Parameter limit: The most bytes.
    /// - Returns: The bytes; `nil` for a file that is larger.
    /// - Throws: `Failure` when the disk refuses.
    package func bytes(upTo limit: Int) throws(Failure) -> [UInt8]? {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceByteCount, alignment: 16)
        defer { piece.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = try read(at: Int64(bytes.count), into: piece)
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes.append(contentsOf: piece[..<count])
        }
    }
}
