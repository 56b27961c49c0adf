// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoopbackRelay
import SessionLog
import Testing

/// A host that keeps every byte that it is sent: a relay to a server, which it answers for where a test has an answer.
struct RecordingHost {
    private let relay: LoopbackRelay
    private let received: Locked<[[UInt8]]>

    /// `answer` is given the request's text where a request begins.
    init(to port: Int, answer: @escaping @Sendable (String) -> String? = { _ in nil }) throws {
        let received = Locked<[[UInt8]]>([])
        self.received = received
        relay = try LoopbackRelay(to: UInt16(port)) { sent in
            received.withLock { $0.append(sent) }
            return answer(String(decoding: sent, as: UTF8.self)).map { Array($0.utf8) }
        }
    }

    var address: String { "http://127.0.0.1:\(relay.port)" }

    func url(_ path: String = "") throws -> URL { try #require(URL(string: address + path)) }

    /// Every byte that clients sent.
    var bytes: Data { Data(received.withLock { $0.joined() }) }

    /// The heads of the requests; a client sends its next request on a connection after the answer to the one before.
    var heads: [String] {
        received.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("GET ") || $0.hasPrefix("POST ") }
            .map { String($0.split(separator: "\r\n\r\n", maxSplits: 1)[0]) }
    }

    /// An answer with a body.
    static func answer(_ status: String, _ fields: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// An answer that sends its client elsewhere.
    static func redirection(to address: String) -> String { answer("302 Found", "Location: \(address)\r\n") }
}
