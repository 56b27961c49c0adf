// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

extension JSONAPI {
    /// Carries out the calls of a batch one after the other and answers them in their order.
    ///
    /// Each answer is sent before the next call is made, so that only one is ever held. A call that fails keeps no other
    /// from being made; a client that goes away leaves the rest undone.
    func answerBatch(_ call: StorageCall) async throws -> Response {
        // Held until the answer is written, as the calls are.
        let memory = ByteReservation(of: .process)
        let calls = try await batchCalls(of: call, in: memory)
        let boundary = "batch_\(context.makeToken())"
        return Response(
            status: .ok,
            headers: [.contentType: "multipart/mixed; boundary=\(boundary)"],
            body: ResponseBody { writer in
                defer { memory.giveBack() }
                for inner in calls {
                    let answer = try await BatchAnswer(try await answer(inner, in: call))
                    try await writer.write(answer.part(boundary: boundary, contentID: inner.responseContentID))
                }
                try await writer.write(ByteBuffer(string: "--\(boundary)--\r\n"))
                try await writer.finish(nil)
            }
        )
    }

    private func batchCalls(of call: StorageCall, in memory: ByteReservation) async throws -> [BatchCall] {
        let body = try await WholeBody(of: call.request).collected(
            upTo: BatchParser.byteCountMax - 1,
            in: memory,
            orThrow: .batchTooLarge
        )
        do {
            return try BatchParser.parse(body, contentType: call.request.headers[.contentType])
        } catch {
            throw StorageFailure(error)
        }
    }

    private func answer(_ inner: BatchCall, in batch: StorageCall) async throws -> Response {
        let request = inner.request(in: batch)
        guard inner.isAllowed, let target = RequestTarget(request.head.path ?? "/") else {
            return StorageFailure.notInBatch.response(in: .json)
        }
        // The batch is one exchange: attributions of its calls are dropped with an exchange that makes no records.
        let exchange = Exchange(
            attribution: batch.operation.attribution,
            caller: Caller(authorization: request.headers[.authorization])
        )
        let response = await respond(to: StorageCall(request: request, target: target, exchange: exchange))
        if exchange.isReset { throw AnswerBreak() }
        return response
    }
}

extension StorageFailure {
    fileprivate static let notInBatch = invalid(
        "A batch may hold calls to the JSON API only, and none that uploads or downloads an object's bytes."
    )
}
