// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

/// Answers streams of HTTP/2 as requests over HTTP/1.1 are answered.
struct HTTPStreams: Sendable {
    let service: any WireService
    let running: RunningWork

    /// Begins to answer a stream; called on its event loop.
    func open(_ stream: WireStream) -> any WireStreamHandler { HTTPStreamHandler(stream, streams: self) }

    /// Returns the response to a request that was read off a stream.
    func respond(to request: Request, _ exchange: Exchange) async -> Response {
        if let refusal = service.refusal(of: request, exchange) { return refusal }
        return await service.respond(to: request, exchange: exchange)
    }
}
