// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// Writes an answer's body with another first byte.
struct CorruptingBodyWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private var isCorrupted = false

    init(_ base: any ResponseBodyWriter) {
        self.base = base
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        if !isCorrupted, let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) {
            isCorrupted = true
            buffer.setInteger(
                first == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A"),
                at: buffer.readerIndex
            )
        }
        try await base.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}

extension Response {
    /// Changes the first byte of the body.
    mutating func corrupt() {
        let whole = body
        body = ResponseBody(contentLength: whole.contentLength) { writer in
            try await whole.write(CorruptingBodyWriter(writer))
        }
    }

    /// Cuts the body to its first bytes, which are then all that the head promises.
    mutating func shorten(to byteCount: Int) {
        let whole = body
        body = ResponseBody(contentLength: min(byteCount, whole.contentLength ?? byteCount)) { writer in
            try await whole.write(ShorteningBodyWriter(writer, byteCount: byteCount))
        }
    }
}

/// Writes the beginning of an answer's body.
private struct ShorteningBodyWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private var remaining: Int

    init(_ base: any ResponseBodyWriter, byteCount: Int) {
        self.base = base
        remaining = byteCount
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        guard remaining > 0,
            let part = buffer.getSlice(at: buffer.readerIndex, length: min(remaining, buffer.readableBytes))
        else { return }
        remaining -= part.readableBytes
        try await base.write(part)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}
