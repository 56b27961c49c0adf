// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOHPACK

extension FrameClient {
    /// The head of a call; what `changed` names is not as usual.
    static func head(
        _ method: String,
        _ extra: [(String, String)] = [],
        changed: [String: String] = [:]
    ) -> HPACKHeaders {
        let usual = [
            (":method", "POST"), (":scheme", "http"), (":path", "/test.Test/\(method)"), (":authority", "127.0.0.1"),
            ("content-type", "application/grpc"), ("te", "trailers"),
        ]
        var headers = HPACKHeaders(usual.map { ($0.0, changed[$0.0] ?? $0.1) })
        for (name, value) in extra { headers.add(name: name, value: value) }
        return headers
    }

    /// Begins a call that sends its messages bit by bit.
    func begin(_ method: String, _ extra: [(String, String)] = []) throws -> UInt32 {
        let stream = newStream()
        try sendHead(stream, Self.head(method, extra))
        return stream
    }

    /// Sends a whole call.
    func start(_ method: String, _ messages: [String] = [""], _ extra: [(String, String)] = []) throws -> UInt32 {
        let stream = try begin(method, extra)
        sendData(stream, messages.flatMap { Message.framed($0) })
        return stream
    }

    /// Sends the last bytes of a request in frames that every server takes.
    func sendData(_ stream: UInt32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        let frameByteCountMax = 16_384
        while rest.count > frameByteCountMax {
            send(.data(stream, Array(rest.prefix(frameByteCountMax))))
            rest = rest.dropFirst(frameByteCountMax)
        }
        send(.data(stream, Array(rest), endsStream: true))
    }

    /// Sends a whole call and returns its answer.
    func call(_ method: String, _ messages: [String] = [""], _ extra: [(String, String)] = []) throws -> Answer {
        try answer(start(method, messages, extra))
    }
}
