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
extension ObjectDownloads {
    /// Answers with the decompressed bytes of an object; `nil` when the client is to get them as they are stored.
    ///
    /// How long they are is not known before the last is sent, so there is neither a length nor a range of them. An
    /// object whose first bytes show that it cannot be decompressed is refused; `stored` are the header fields of the
    /// stored bytes.
    func gunzippedMedia(_ reader: ObjectReader, stored: HTTPFields, for request: Request) async throws -> Response? {
        let takesGzip = AcceptedEncodings(request.headers[.acceptEncoding]).takesGzip
        guard reader.metadata.isStoredAsGzip, !takesGzip || reader.metadata.isOfCompressedType,
            try await blockingWork({ try reader.holdsGzip() })
        else { return nil }
        let bytes = try await blockingWork { try GunzippedBytes(reader) }
        var fields = stored
        fields[.contentEncoding] = nil
        if fields[.acceptRanges] != nil { fields[.acceptRanges] = "none" }
        fields.set("Warning", to: "214 UploadServer gunzipped")
        // The name under which Google's C++ and Rust libraries look for the same.
        fields.set("X-GUploader-Response-Body-Transformations", to: "gunzipped")
        let body = request.method == .head ? ResponseBody { try await $0.finish(nil) } : bytes.body
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

    /// Whether the media type is one of compressed data.
    ///
    /// Such objects are decompressed once for all clients, "even for requests with Accept-Encoding: gzip": Cloud Storage
    /// does not serve "doubly compressed" objects. The documentation names "many video, audio, and image files" and gzip
    /// files (https://cloud.google.com/storage/docs/transcoding#gzip-gzip, 2026-11), users met PNG, JPEG and ZIP files
    /// (googleapis/nodejs-storage#709, googleapis/google-cloud-dotnet#7154); the whole list is not known.
    fileprivate var isOfCompressedType: Bool {
        let type = attributes.contentType.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        if type == "image/svg+xml" { return false }
        let isMedia = ["image/", "audio/", "video/"].contains(where: type.hasPrefix)
        return isMedia || ["application/gzip", "application/x-gzip", "application/zip"].contains(type)
    }
}

extension ObjectReader {
    /// The first bytes of gzip files (RFC 1952 section 2.3.1): two magic bytes, and the method "deflate".
    private static let gzipMagic: [UInt8] = [0x1F, 0x8B, 8]

    /// Whether the bytes begin as gzip's do; those that only claim to be compressed are sent as they are stored.
    fileprivate func holdsGzip() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.gzipMagic.count)
        let count = try bytes.withUnsafeMutableBytes { try read(at: 0, into: $0) }
        return count == bytes.count && bytes == Self.gzipMagic
    }
}

/// The decompressed bytes of an object, the first of which were looked at before its answer began.
///
/// An object that is small, or broken at its start, can still be refused then, instead of an answer that breaks off.
struct GunzippedBytes: Sendable {
    /// How many bytes are looked at, and one piece more at most.
    static let openingByteCount = ObjectReader.pieceByteCount
    /// How many pieces are looked at: some objects expand to next to nothing.
    static let openingPieceCountMax = 16

    private let opening: ByteBuffer
    private let rest: GunzippingReader

    /// Decompresses the first bytes; throws when that cannot be done.
    init(_ object: ObjectReader) throws {
        rest = try GunzippingReader(object)
        var opening = ByteBuffer()
        for _ in 0..<Self.openingPieceCountMax where opening.readableBytes < Self.openingByteCount {
            guard var piece = try rest.next() else { break }
            opening.writeBuffer(&piece)
        }
        self.opening = opening
    }

    /// A body of the bytes, read and decompressed as fast as the client takes them.
    ///
    /// Bytes that cannot be decompressed break the connection behind those before them: the answer must not look whole.
    var body: ResponseBody {
        ResponseBody { writer in
            if opening.readableBytes > 0 { try await writer.write(opening) }
            while let piece = try await next() {
                if piece.readableBytes > 0 { try await writer.write(piece) }
            }
            try await writer.finish(nil)
        }
    }

    private func next() async throws -> ByteBuffer? {
        do {
            return try await blockingWork { try rest.next() }
        } catch is StorageFailure {
            throw AnswerBreak()
        }
    }
}
