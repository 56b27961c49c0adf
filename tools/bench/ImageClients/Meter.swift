// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// Asks the emulator what downloads have cost.
struct Meter {
    let console: URL
    private static let pollCountMax = 300

    let transport = URLSessionTransport()

    struct Downloads {
        let requestCount: Int
        let bodyByteCount: Int
    }

    func mark() async throws -> String {
        struct Mark: Decodable { let mark: String }
        return try await call(Mark.self, "POST", "usage/marks").mark
    }

    /// The downloads once `count` are recorded: one that is broken off is recorded when it is over.
    func downloads(since mark: String, count: Int) async throws -> Downloads {
        for _ in 0..<Self.pollCountMax {
            let downloads = try await downloads(since: mark)
            if downloads.requestCount >= count { return downloads }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw URLError(.timedOut)
    }

    private func downloads(since mark: String) async throws -> Downloads {
        struct Usage: Decodable {
            struct Group: Decodable {
                struct Bytes: Decodable { let bodySent: Int }
                let key: String
                let requests: Int
                let bytes: Bytes
            }
            let groups: [Group]
        }
        let usage = try await call(Usage.self, "GET", "usage?by=operation&since=\(mark)")
        let downloads = usage.groups.first { $0.key == "storage.objects.get" }
        return Downloads(requestCount: downloads?.requests ?? 0, bodyByteCount: downloads?.bytes.bodySent ?? 0)
    }

    private func call<Answer: Decodable>(_ type: Answer.Type, _ method: String, _ path: String) async throws -> Answer {
        let request = TransportRequest(method: method, url: URL(string: path, relativeTo: console) ?? console)
        return try JSONDecoder().decode(type, from: await transport.send(request).body.collected())
    }
}
