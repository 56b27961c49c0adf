// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// Decides which requests may open a WebSocket.
struct WebSocketAdmission: Sendable {
    /// The status and the text of an answer.
    struct Refusal: Sendable {
        let status: HTTPResponseStatus
        let text: String
    }

    let path: String
    let gate: LocalPageGate

    /// Returns why a handshake is refused; `nil` for one that passes.
    func refusal(of head: HTTPRequestHead) -> Refusal? {
        if let text = gate.refusal(host: head.headers.first(name: "Host"), origin: head.headers.first(name: "Origin")) {
            return Refusal(status: .forbidden, text: text)
        }
        // The official emulator 1.19.9 never answers here (2026-11).
        return head.uri == path ? nil : Refusal(status: .notFound, text: "Not Found")
    }

    /// The answer to a request that is not a handshake, or one that is incomplete.
    func answer(to head: HTTPRequestHead) -> Refusal {
        let isUpgrade = head.headers.contains(name: "Upgrade")
        let reason = isUpgrade ? "the handshake is incomplete" : "missing upgrade"
        return refusal(of: head)
            ?? Refusal(status: .badRequest, text: "not a WebSocket handshake request: \(reason)")
    }
}
