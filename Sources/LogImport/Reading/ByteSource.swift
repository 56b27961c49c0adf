// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// A file that is read once, from its beginning to its end.
protocol ByteSource {
    /// Reads on into a buffer; returns how many bytes, none at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension GunzippedFile: ByteSource {}

/// Opens a file, to be decompressed as it is read where it is gzip or zlib.
func openDecompressed(_ path: String) throws -> any ByteSource {
    try InflatedFile(path) ?? GunzippedFile(path)
}
