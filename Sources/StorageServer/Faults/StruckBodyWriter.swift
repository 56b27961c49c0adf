// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// Writes an answer's body in which a fault happens.
struct StruckBodyWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private var position: Int64 = 0
    /// `nil` once it has happened.
    private var strike: Strike?

    init(_ base: any ResponseBodyWriter, _ strike: Strike) {
        self.base = base
        self.strike = strike
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await happen(before: buffer)
        guard let strike else { return try await base.write(buffer) }
        let (before, behind) = strike.split(buffer, at: position)
        position += Int64(before.readableBytes)
        try await base.write(before)
        guard behind.readableBytes > 0 else { return }
        try await happen(before: behind)
        try await base.write(behind)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        if let strike, strike.isDue(at: position, before: nil) { try await strike.happen() }
        try await base.finish(trailingHeaders)
    }

    private mutating func happen(before piece: ByteBuffer) async throws {
        guard let due = strike, due.isDue(at: position, before: piece) else { return }
        strike = nil
        try await due.happen()
    }
}

extension Response {
    /// Lets a fault happen in the body.
    mutating func strike(_ strike: Strike) {
        let whole = body
        body = ResponseBody(contentLength: whole.contentLength) { writer in
            try await whole.write(StruckBodyWriter(writer, strike))
        }
    }
}
