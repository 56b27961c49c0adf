// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import ObjectStore
import Wire

/// How far a rewrite has come that the client wants done in calls of a number of bytes.
///
/// Nothing is copied before the last call, because copies share their bytes: the token only counts, and holds on to the
/// version that the first call found.
struct RewriteProgress {
    private let generation: Int64
    private let byteCount: Int64
    private let rewritten: Int64

    /// Reads `maxBytesRewrittenPerCall` and `rewriteToken`; `nil` when the client sets no bound.
    init?(_ source: ObjectPath, store: SQLiteObjectStore, for call: StorageCall) async throws {
        guard let step = try call.target.number("maxBytesRewrittenPerCall") else { return nil }
        guard step > 0, step % (1 << 20) == 0 else {
            throw StorageFailure.invalid("maxBytesRewrittenPerCall must be a positive multiple of 1048576.")
        }
        let wanted = try call.target.number("sourceGeneration")
        let found = try await blockingWork { try store.metadata(at: source, generation: wanted) }
        guard let found else { throw StorageFailure.noSuchObject(source) }
        var done: Int64 = 0
        if let token = call.target.text("rewriteToken") {
            guard let (generation, former) = Self.read(token), generation == found.generation, former >= 0 else {
                throw StorageFailure.invalid("The rewriteToken is not one of a rewrite of this object.")
            }
            // A token that was made up may contain any number.
            done = min(former, found.byteCount)
        }
        generation = found.generation
        byteCount = found.byteCount
        rewritten = step < byteCount - done ? done + step : byteCount
    }

    var isDone: Bool { rewritten == byteCount }

    /// The answer before the last call.
    var answer: JSONText {
        .object([
            ("kind", "storage#rewriteResponse"),
            ("totalBytesRewritten", .decimal(rewritten)),
            ("objectSize", .decimal(byteCount)),
            ("done", false),
            ("rewriteToken", .string(Data("\(generation)/\(rewritten)".utf8).base64EncodedString())),
        ])
    }

    private static func read(_ token: String) -> (generation: Int64, rewritten: Int64)? {
        let sides = Data(base64Encoded: token).map { String(decoding: $0, as: UTF8.self).split(separator: "/") }
        guard let sides, sides.count == 2, let generation = Int64(sides[0]), let rewritten = Int64(sides[1]) else {
            return nil
        }
        return (generation, rewritten)
    }
}
