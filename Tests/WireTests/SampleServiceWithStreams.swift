// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Metering
import NIOCore
import NIOHPACK
import Wire

/// The sample, behind a port that speaks HTTP/2 too: there streams whose type is `application/empty` are answered 204.
struct SampleServiceWithStreams: WireService {
    private let base = SampleService()
    let meteredService = UsageAttribution.Service.storage

    var bodyByteCountMax: Int64 { base.bodyByteCountMax }
    var streamService: (any WireStreamService)? { SampleStreams() }

    func respond(to request: Request, exchange: Exchange) async -> Response {
        await base.respond(to: request, exchange: exchange)
    }

    func refuseBody(exchange: Exchange) -> Response { base.refuseBody(exchange: exchange) }
}

/// Answers every stream 204, without a body.
private struct SampleStreams: WireStreamService {
    let executor = BlockingExecutor.shared

    func open(_ stream: WireStream, head: HPACKHeaders) -> (any WireStreamHandler)? {
        head.first(name: "content-type") == "application/empty" ? SampleStreamHandler(stream: stream) : nil
    }

    func run() async throws {
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
    }
}

private final class SampleStreamHandler: WireStreamHandler {
    private let stream: WireStream

    init(stream: WireStream) {
        self.stream = stream
    }

    func received(_ headers: HPACKHeaders, endsRequest: Bool) {
        _ = stream.began(
            method: headers.first(name: ":method") ?? "",
            authorization: nil,
            client: nil,
            tag: nil,
            target: headers.first(name: ":path")
        )
        stream.answered(status: 204)
        stream.writeEnd([":status": "204"])
        stream.flush()
    }

    func received(_ data: ByteBuffer, endsRequest: Bool) { stream.consumed(data.readableBytes) }
    func readCompleted(atOnce: Bool) -> ReadWork { .none }
    func mayWriteAgain() {}
    func serverStops() {}
    func graceEnded() {}
    func closed() {}
}
