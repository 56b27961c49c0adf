// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// Gives answers of the memory on one connection, and brings it new ones; lives on the connection's event loop.
///
/// A head that came before is followed on its way: to the server, and back with the answer. It is one at a time, as a
/// head is only looked up when all former ones are answered.
final class AnswerRepeater {
    /// A request at least this often goes to the server, which closes connections on which it sees none.
    static let silenceMicrosecondsMax: Int64 = 60_000_000

    private enum State {
        case idle
        /// The head is being decoded.
        case candidate(ByteBuffer)
        /// The server has the request.
        case awaited(ByteBuffer, Exchange)
        /// The answer passes.
        case recording(AnswerRecording)
        /// No later request on this connection is answered.
        case ended
    }

    private let memory: AnswerMemory
    private var state = State.idle
    private var lastForwarded: Int64

    init(memory: AnswerMemory, now: Int64) {
        self.memory = memory
        lastForwarded = now
    }

    /// Returns the answer to the bytes behind a message, and its bytes; `nil` where the server is to be asked.
    func answer(to bytes: ByteBuffer, now: Int64) -> (KeptAnswer, GivenBytes)? {
        guard case .idle = state else { return nil }
        if bytes.mayBeGET, now - lastForwarded < Self.silenceMicrosecondsMax {
            switch memory.find(bytes) {
            case .answer(let answer, let bytes): return (answer, bytes)
            case .again: state = .candidate(bytes)
            case .unknown: break
            }
        }
        lastForwarded = now
        return nil
    }

    /// The codec has read the bytes that were looked up.
    func pieceDecoded() {
        // They held no whole head: whatever follows belongs to it.
        if case .candidate = state { state = .idle }
    }

    /// The codec has read a head.
    func requestBegan(_ head: HTTPRequest, body: RequestFramer.BodyKind, in exchange: Exchange) {
        if head.isLast {
            state = .ended
            return
        }
        guard case .candidate(let bytes) = state else { return }
        let isPlain = head.method == .get && body == .none && head.headerFields[.expect] == nil
        state = isPlain ? .awaited(bytes, exchange) : .idle
    }

    /// The head of an answer is about to be coded.
    func responseBegan(_ head: HTTPResponse) {
        if head.isLast {
            state = .ended
            return
        }
        guard case .awaited(let bytes, let exchange) = state else { return }
        state = AnswerRecording(of: head, to: bytes, in: exchange).map { .recording($0) } ?? .idle
    }

    /// Bytes pass on their way to the socket.
    func passed(_ data: IOData) {
        guard case .recording(var recording) = state else { return }
        state = .idle  // so that there is one owner, and appending does not copy
        if recording.append(data) { state = .recording(recording) }
    }

    /// The bytes of an answer's head have passed.
    func responseHeadEnded() {
        guard case .recording(var recording) = state else { return }
        state = .idle
        recording.headEnded()
        state = .recording(recording)
    }

    /// The last bytes of an answer have passed.
    func responseEnded() {
        switch state {
        case .recording(let recording):
            state = .idle
            if let (answer, bytes) = recording.answer { memory.keep(answer, bytes: bytes) }
        case .idle, .candidate, .awaited, .ended: break
        }
    }
}

extension ByteBuffer {
    /// Whether these can be the bytes of a GET's head; others never came before.
    fileprivate var mayBeGET: Bool {
        readableBytes <= AnswerMemory.headByteCountMax && readableBytesView.starts(with: "GET ".utf8)
    }
}

extension HTTPRequest {
    /// Whether the client wants no further answer; see ``KeepAliveHandler``.
    fileprivate var isLast: Bool { headerFields[.connection] == "close" }
}

extension HTTPResponse {
    /// Whether the connection ends behind it.
    fileprivate var isLast: Bool { headerFields[.connection] == "close" }
}
