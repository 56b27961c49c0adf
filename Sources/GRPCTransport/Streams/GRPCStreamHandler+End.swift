// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import Wire

/// How a call ends: answered, cut short, or with its stream.
extension GRPCStreamHandler {
    func serverStops() { stream?.signalCancellation() }

    func graceEnded() { end(with: .serverStopping) }

    func closed() {
        deadline?.cancel()
        if isAnswered {
            stream?.endInbound(throwing: RPCError.callCancelled)
        } else {
            isAnswered = true
            cancelCall(.callCancelled)
        }
        call = .none
        forget()
    }

    private func cancelCall(_ error: RPCError) {
        switch call {
        case .prepared(let stream, _, _), .routed(let stream): stream.cancel(error)
        case .direct(let direct): direct.cancel()
        case .none, .expecting, .ready: break
        }
    }

    /// Answers for the handler, whose call ends here.
    func end(with error: RPCError) {
        guard !isAnswered else { return }
        // Before the answer, which may end the stream, and then this handler forgets the call.
        isAnswered = true
        cancelCall(error)
        forgetRequest()
        finish(with: Status(code: Status.Code(error.code), message: error.message), metadata: [:])
        wire.flush()
    }

    func finish(with status: Status, metadata: Metadata) {
        let headers =
            headSent
            ? ResponseHeaders.trailers(status, metadata: metadata)
            : ResponseHeaders.withoutMessages(status, metadata: metadata)
        finish(with: headers, httpStatus: status.code.httpStatus)
    }

    func finish(with headers: HPACKHeaders, httpStatus: Int) {
        isAnswered = true
        deadline?.cancel()
        wire.answered(status: httpStatus)
        wire.writeEnd(headers)
        wire.flush()
    }

    func reset(_ code: HTTP2ErrorCode) {
        guard !isAnswered else { return }
        isAnswered = true
        deadline?.cancel()
        wire.reset(code)
    }
}
