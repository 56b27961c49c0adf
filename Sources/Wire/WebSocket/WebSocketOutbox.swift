// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// The texts that wait until a client takes them.
final class WebSocketOutbox: Sendable {
    /// Bytes that may wait behind the first text; a client that takes less is closed.
    private static let waitingByteCountMax = 32 << 20

    private enum State {
        case opening
        case open(cancel: @Sendable () -> Void)
        case closed
    }

    private let channel: any Channel
    private let state = NIOLockedValueBox(State.opening)
    /// `nil` before the first text.
    private let waitingByteCount = NIOLockedValueBox<Int?>(nil)

    init(channel: any Channel) { self.channel = channel }

    /// Asks for texts.
    func open(_ source: @escaping WebSocketServer.Source) {
        BlockingExecutor.shared.run(Opening(outbox: self, source: source))
    }

    fileprivate func begin(_ source: WebSocketServer.Source) {
        let cancel = source { [self] in send($0) }
        let isClosed = state.withLockedValue { state in
            if case .closed = state { return true }
            state = .open(cancel: cancel)
            return false
        }
        // The client has gone while the first text was made.
        if isClosed { cancel() }
    }

    /// Asks for no more.
    func close() {
        let former = state.withLockedValue { state in
            defer { state = .closed }
            return state
        }
        if case .open(let cancel) = former { cancel() }
    }

    /// Sends a text in one frame, or closes.
    ///
    /// Nothing happens to the channel within the call, in which the source may hold a lock.
    private func send(_ text: String) {
        guard let byteCount = admit(text.utf8.count) else {
            return channel.eventLoop.execute { [channel] in channel.close(promise: nil) }
        }
        channel.eventLoop.execute { [self] in
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            channel.writeAndFlush(frame).whenComplete { [self] _ in
                waitingByteCount.withLockedValue { $0 = $0.map { $0 - byteCount } }
            }
        }
    }

    /// Returns how much waits because of a text; `nil` where that is too much.
    private func admit(_ byteCount: Int) -> Int? {
        waitingByteCount.withLockedValue { waiting in
            guard let former = waiting else {
                waiting = 0
                return 0
            }
            guard former == 0 || former + byteCount <= Self.waitingByteCountMax else { return nil }
            waiting = former + byteCount
            return byteCount
        }
    }
}

private final class Opening: BlockingWork {
    private let outbox: WebSocketOutbox
    private let source: WebSocketServer.Source

    init(outbox: WebSocketOutbox, source: @escaping WebSocketServer.Source) {
        (self.outbox, self.source) = (outbox, source)
    }

    func performBlocking() { outbox.begin(source) }
}
