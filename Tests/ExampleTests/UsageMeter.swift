// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks a running emulator what was used: copy this file into your tests.
///
///     let meter = UsageMeter()
///     let usage = try await meter.usage { try await showFeedScreen() }
///     #expect(usage.billed.documentReads <= 6)
///     #expect(usage.bytes.sent <= 400_000)
struct UsageMeter {
    struct Usage: Decodable {
        struct Bytes: Decodable { let received, sent, bodySent: Int }
        struct Billed: Decodable {
            let egressBytes, classA, classB, documentReads, documentWrites, documentDeletes: Int
        }

        let requests: Int
        let bytes: Bytes
        let billed: Billed
    }

    /// The emulator's console, 127.0.0.1:4000 by default.
    var console = "127.0.0.1:4000"

    /// Returns what was used while `body` ran.
    func usage(of body: () async throws -> Void) async throws -> Usage {
        let mark = try await ask("POST", "usage/marks", as: [String: String].self)["mark"] ?? ""
        try await body()
        return try await ask("GET", "usage?since=\(mark)", as: Usage.self)
    }

    private func ask<Answer: Decodable>(_ method: String, _ path: String, as type: Answer.Type) async throws -> Answer {
        guard let url = URL(string: "http://\(console)/\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return try JSONDecoder().decode(Answer.self, from: await URLSession.shared.data(for: request).0)
    }
}
