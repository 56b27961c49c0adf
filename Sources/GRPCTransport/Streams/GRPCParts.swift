// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOHTTP2

/// The request of a call as its handler reads it.
struct GRPCInbound: AsyncSequence, Sendable {
    typealias Element = RPCRequestPart<GRPCBytes>
    typealias Failure = any Error

    let stream: GRPCStream

    func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: GRPCStream

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await stream.next()
        }

        mutating func next() async throws -> Element? {
            try await stream.next()
        }
    }
}

/// The response of a call as its handler writes it.
struct GRPCOutbound: ClosableRPCWriterProtocol {
    let stream: GRPCStream

    func write(_ element: RPCResponsePart<GRPCBytes>) async throws {
        try await stream.write(element)
    }

    func write(contentsOf elements: some Sequence<RPCResponsePart<GRPCBytes>>) async throws {
        try await stream.write(contentsOf: Array(elements))
    }

    // The status ends the response; a handler that writes none is reset when it returns.
    func finish() async {}

    func finish(throwing error: any Error) async {
        stream.cancel(error)
        stream.handlerEnded(resetCode: .cancel)
    }
}
