// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// A request's body of which every byte must arrive.
///
/// A connection that breaks inside a body, and a server that stops there, end it with an error of the decoder. The HTTP
/// library itself takes the end of its channel for the end of a body (hummingbird 2.28, `NIOAsyncChannelRequestBody`),
/// so the length is also compared with what the head declared.
struct WholeBody {
    private let body: RequestBody
    private let declaredByteCount: Int64?

    init(of request: Request) {
        body = request.body
        declaredByteCount = request.headers[.contentLength].flatMap(Int64.init)
    }

    /// Refuses a body that is declared to be larger than an object may be, before any of it is read.
    func checkDeclaredSize(atMost limit: Int64) throws(StorageFailure) {
        if let declaredByteCount, declaredByteCount > limit { throw .tooLarge(limit: limit) }
    }

    /// Hands out the pieces; returns only after the last byte, and throws when that never comes.
    func forEachPiece(_ take: (ByteBuffer) async throws -> Void) async throws {
        var byteCount: Int64 = 0
        var pieces = body.makeAsyncIterator()
        while let piece = try await Self.next(&pieces) {
            byteCount += Int64(piece.readableBytes)
            try await take(piece)
        }
        if let declaredByteCount {
            guard byteCount == declaredByteCount else { throw StorageFailure.truncatedBody }
        } else if Task.isCancelled {
            // Without a declared length a quiet end cannot be distinguished from a cut.
            throw StorageFailure.truncatedBody
        }
    }

    /// Returns a small body; throws when it is larger than `limit`.
    func collected(upTo limit: Int) async throws -> [UInt8] {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        return try await collected(upTo: limit, in: memory, orThrow: .metadataTooLarge(limit: limit))
    }

    /// Returns a body that is held for as long as `memory`; throws `tooLarge` when it is larger than `limit`.
    ///
    /// It is admitted by its declared length, if it has one: else many that come at a time would all be refused half-way.
    func collected(
        upTo limit: Int,
        in memory: ByteReservation,
        orThrow tooLarge: @autoclosure () -> StorageFailure
    ) async throws -> [UInt8] {
        let declared = declaredByteCount ?? 0
        guard declared <= limit else { throw tooLarge() }
        try memory.hold(Int(declared))
        var bytes: [UInt8] = []
        try await forEachPiece { piece in
            let byteCount = bytes.count + piece.readableBytes
            guard byteCount <= limit else { throw tooLarge() }
            try memory.hold(byteCount)
            bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
    }

    private static func next(_ pieces: inout RequestBody.AsyncIterator) async throws(StorageFailure) -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch {
            throw (error as? InjectedFault)?.failure ?? .truncatedBody
        }
    }
}
