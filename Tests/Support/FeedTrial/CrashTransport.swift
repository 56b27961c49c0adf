// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SeededRandom
import SessionLog

/// Serves trial images in pieces, as a network would; a tenth of the downloads breaks off.
final class CrashTransport: HTTPTransport {
    private static let pieceByteCount = 10_000
    private let generator: Locked<SplitMix64>

    init(seed: UInt64) { generator = Locked(SplitMix64(seed: seed &+ 1)) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = Int(request.url.lastPathComponent.split(separator: "/")[1]) ?? 0
        let image = TrialImage(number, byteCounts: CrashTrial.byteCounts)
        let (isCut, cut) = generator.withLock { generator in
            (generator.integer(in: 0...9) == 0, generator.integer(in: 0...image.byteCount))
        }
        var start = 0
        if let range = request.headers["Range"], request.headers["If-Range"] == image.entityTag {
            start = Int(range.dropFirst(6).dropLast()) ?? 0
        }
        let body = image.data.dropFirst(start)
        var headers = ["ETag": image.entityTag, "Content-Length": "\(body.count)"]
        if start > 0 { headers["Content-Range"] = "bytes \(start)-\(image.byteCount - 1)/\(image.byteCount)" }
        return TransportResponse(
            status: start > 0 ? 206 : 200,
            headers: HeaderFields(headers),
            body: Self.pieces(isCut ? body.prefix(cut) : body, isCut: isCut)
        )
    }

    private static func pieces(_ body: Data, isCut: Bool) -> TransportBody {
        let rest = Locked(body)
        return TransportBody(
            AsyncThrowingStream {
                await Task.yield()
                let piece = rest.withLock { rest in
                    defer { rest = rest.dropFirst(pieceByteCount) }
                    return Data(rest.prefix(pieceByteCount))
                }
                if piece.isEmpty, isCut { throw URLError(.networkConnectionLost) }
                return piece.isEmpty ? nil : piece
            }
        )
    }
}
