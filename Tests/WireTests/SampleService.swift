// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import Wire

/// `GET /bytes/N` answers N bytes, `/chunked/N` the same without a length, `/parts/N` so, with a record of each 64 KiB, `/unchanged` a 304; `POST` answers the body's size.
struct SampleService: WireService {
    let meteredService = UsageAttribution.Service.storage
    let bodyByteCountMax: Int64 = 1 << 20

    func respond(to request: Request, exchange: Exchange) async -> Response {
        exchange.attribute(
            to: UsageAttribution(service: .storage, operation: "sample"),
            billing: .storage(.classB)
        )
        if request.method == .post { return await countBody(of: request) }
        let segments = request.uri.path.split(separator: "/")
        guard segments.count == 2, let count = Int(segments[1]) else {
            return Response(status: request.uri.path == "/unchanged" ? .notModified : .notFound)
        }
        let isChunked = segments[0] != "bytes"
        let isInParts = segments[0] == "parts"
        return Response(
            status: .ok,
            body: ResponseBody(contentLength: isChunked ? nil : count) { writer in
                var remaining = count
                while remaining > 0 {
                    let piece = min(remaining, 65_536)
                    try await writer.write(ByteBuffer(repeating: 0x61, count: piece))
                    remaining -= piece
                    if isInParts { exchange.flush(billed: BilledUsage(documentReads: 1)) }
                }
                try await writer.finish(nil)
            }
        )
    }

    private func countBody(of request: Request) async -> Response {
        do {
            var count = 0
            for try await piece in request.body { count += piece.readableBytes }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(count)")))
        } catch {
            return Response(status: .badRequest)
        }
    }

    func refuseBody(exchange: Exchange) -> Response {
        Response(status: .contentTooLarge)
    }
}
