// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import NIOConcurrencyHelpers
import NIOCore

/// Files of the page as they are sent: prepared when they are first asked for.
final class ServedFiles: Sendable {
    /// A file in both forms.
    struct Forms: Sendable {
        let plain: ByteBuffer
        let gzip: ByteBuffer
    }

    static let shared = ServedFiles()

    private let files = NIOLockedValueBox<[Substring: Forms]>([:])

    func forms(of name: Substring, _ bytes: [UInt8]) -> Forms {
        if let known = files.withLockedValue({ $0[name] }) { return known }
        let plain = name.hasSuffix(".js") ? Self.withoutComments(bytes) : bytes
        let forms = Forms(plain: ByteBuffer(bytes: plain), gzip: ByteBuffer(bytes: Self.gzip(plain)))
        files.withLockedValue { $0[name] = forms }
        return forms
    }

    /// Leaves out lines of comments, and indentation, which are a fifth of what would be sent.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        let newline = UInt8(ascii: "\n")
        for line in bytes.split(separator: newline, omittingEmptySubsequences: true) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            guard !text.isEmpty, !text.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) else { continue }
            kept.append(contentsOf: text)
            kept.append(newline)
        }
        return kept
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        guard let deflater = Deflater(.gzip) else { preconditionFailure("zlib cannot make a stream") }
        return bytes.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: deflater.byteCountMax(of: input.count)) { output, count in
                guard let byteCount = deflater.compress(input, into: UnsafeMutableRawBufferPointer(output)) else {
                    preconditionFailure("the room suffices for any input")
                }
                count = byteCount
            }
        }
    }
}
