// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging

/// Shows a photograph again that a screen showed before, as when a user scrolls back.
struct RedisplayTrial {
    /// A cell as wide as a phone, 390x293 points at three pixels each.
    private static let cell = PixelSize(width: 1_170, height: 880)
    private static let cachedCount = 10_000

    let photo: Data

    /// The rows of a round: what decoding at each showing takes, whole and at the cell's size, and a cache of decoded images.
    func rows() async throws -> [RefactoringTrial.Row] {
        let storage = URL(fileURLWithPath: "/")
        let pipeline = try ImagePipeline(storage: storage, transport: OnePhoto(data: photo))
        let cache = DecodedImageCache(pipeline: pipeline)
        let reference = ImageReference(.object(bucket: "b", name: "photo"), generation: 1)
        let info = try ImageInspector.inspect([UInt8](photo))
        let whole = try time(1) { _ = try DecodedImage(photo, covering: info.pixelWidth, by: info.pixelHeight) }
        let reduced = try time(1) {
            _ = try DecodedImage(photo, covering: Self.cell.width, by: Self.cell.height)
        }
        _ = try await cache.image(for: reference, covering: Self.cell)
        let cached = try time(Self.cachedCount) {
            guard cache.decodedImage(for: reference, covering: Self.cell) != nil else {
                throw RefactoringTrial.Incomplete(what: "the decoded photograph")
            }
        }
        return [
            RefactoringTrial.Row(name: "decoded whole", before: whole, after: cached),
            RefactoringTrial.Row(name: "decoded at the cell's size", before: reduced, after: cached),
        ]
    }

    private func time(_ count: Int, _ body: () throws -> Void) rethrows -> Cost {
        let time = try ContinuousClock().measure { for _ in 0..<count { try body() } }
        return Cost(seconds: time / .seconds(1) / Double(count), bodyBytes: 0)
    }

    private struct OnePhoto: HTTPTransport {
        let data: Data

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(status: 200, body: data)
        }
    }
}
