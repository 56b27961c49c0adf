// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SessionLog

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is read once, from its beginning to its end.
protocol ByteSource {
    /// Reads on into a buffer; returns how many bytes, none at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Opens a file, to be decompressed as it is read where it is gzip or zlib; `-` is standard input.
func openDecompressed(_ path: String) throws -> any ByteSource {
    let file: OpenFile<SessionLogError> =
        path == "-" ? try OpenFile(copyOf: STDIN_FILENO, named: "standard input") : try OpenFile(path, .reading)
    return DecompressedFile(file)
}

/// Whether a file is a pipe, which can be read only once.
package func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}
