// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// Decompressive transcoding: objects that are stored compressed, for clients that cannot decompress.
///
/// Source: https://cloud.google.com/storage/docs/transcoding (2026-11).
extension StorageServer {
    /// Answers with the decompressed bytes of an object; `nil` when the client is to get them as they are stored.
    ///
    /// How long they are nobody knows before the last is sent, so there is neither a length nor a range of them.
    /// `stored` are the header fields of the stored bytes.
    func gunzippedMedia(_ reader: ObjectReader, _ stored: HTTPFields, for request: Request) async throws -> Response? {
        guard reader.metadata.isStoredAsGzip, !AcceptedEncodings(request.headers[.acceptEncoding]).takesGzip,
            try await blockingWork({ try reader.holdsGzip() })
        else { return nil }
        var fields = stored
        fields[.contentEncoding] = nil
        if fields[.acceptRanges] != nil { fields[.acceptRanges] = "none" }
        fields.set("Warning", "214 UploadServer gunzipped")
        // The name under which Google's C++ and Rust libraries look for the same.
        fields.set("X-GUploader-Response-Body-Transformations", "gunzipped")
        let body = request.method == .head ? ResponseBody { try await $0.finish(nil) } : reader.gunzippedBody()
        return Response(status: .ok, headers: fields, body: body)
    }
}

extension ObjectMetadata {
    /// Whether the object says that its bytes are compressed with gzip, and does not forbid sending others.
    fileprivate var isStoredAsGzip: Bool {
        guard attributes.contentEncoding?.lowercased() == "gzip" else { return false }
        let directives = (attributes.cacheControl ?? "").lowercased().split(separator: ",")
        return !directives.contains { $0.filter { $0 != " " } == "no-transform" }
    }
}

extension ObjectReader {
    /// What files compressed with gzip begin with (RFC 1952 section 2.3.1): two magic bytes, and the method "deflate".
    private static let gzipMagic: [UInt8] = [0x1F, 0x8B, 8]

    /// Whether the bytes begin as gzip's do; those that only claim to be compressed are sent as they are stored.
    fileprivate func holdsGzip() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.gzipMagic.count)
        let count = try bytes.withUnsafeMutableBytes { try read(at: 0, into: $0) }
        return count == bytes.count && bytes == Self.gzipMagic
    }

    /// A body of the decompressed bytes, read and decompressed as fast as the client takes them.
    ///
    /// Bytes that cannot be decompressed break the connection: the answer must not look whole.
    func gunzippedBody() -> ResponseBody {
        ResponseBody { writer in
            let pieces = try GunzippingReader(self)
            while let piece = try await Self.next(of: pieces) {
                if piece.readableBytes > 0 { try await writer.write(piece) }
            }
            try await writer.finish(nil)
        }
    }

    /// Bytes that are no gzip break the answer off, behind what was read of them before.
    private static func next(of pieces: GunzippingReader) async throws -> ByteBuffer? {
        do {
            return try await blockingWork { try pieces.next() }
        } catch is StorageFailure {
            throw AnswerBreak()
        }
    }
}
