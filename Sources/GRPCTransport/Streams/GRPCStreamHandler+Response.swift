// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import Wire

/// The way from the call to the client.
extension GRPCStreamHandler {
    private var mayWrite: Bool { wire.unwrittenByteCount < GRPCLimits.outboundByteCountHigh }

    /// Does what the call's task has called the event loop for.
    func perform(_ work: GRPCStream.LoopWork) {
        if work.readsOn { giveBack() }
        if work.givesBackMemory { giveBackMemory() }
        drain()
        // With room left, all that the task has written is on its way.
        if let code = work.resetCode, mayWrite { reset(code) }
    }

    func drain() {
        var messages: ByteBuffer?
        var hasWritten = false
        while !isAnswered, mayWrite, let part = stream?.takeOutbound() {
            hasWritten = true
            switch part {
            case .metadata(let metadata): writeHead(metadata)
            case .message(let frame): gather(frame, into: &messages)
            case .status(let status, let metadata):
                write(&messages)
                guard !isAnswered else { break }
                forgetRequest()
                finish(with: status, metadata: metadata)
            }
        }
        write(&messages)
        if hasWritten { wire.flush() }
    }

    /// Puts messages that come together into one DATA frame.
    private func gather(_ frame: ByteBuffer, into messages: inout ByteBuffer?) {
        if messages == nil {
            messages = frame
        } else {
            messages?.writeImmutableBuffer(frame)
        }
        if let gathered = messages, gathered.readableBytes >= GRPCLimits.outboundByteCountLow { write(&messages) }
    }

    private func write(_ messages: inout ByteBuffer?) {
        guard let gathered = messages else { return }
        messages = nil
        if hold(gathered.readableBytes) { wire.write(gathered, isWatched: true) }
    }

    /// Takes memory for what is to be written; ends the call where there is none.
    private func hold(_ byteCount: Int) -> Bool {
        do {
            try wire.hold(byteCount)
            return true
        } catch {
            end(with: .memoryExceeded(error))
            return false
        }
    }

    private func writeHead(_ metadata: Metadata) {
        headSent = true
        wire.answered(status: Status.Code.ok.httpStatus)
        wire.write(ResponseHeaders.head(metadata, encoding: codec.responseEncoding))
    }

    /// Writes what a direct call has made, and lets it make more.
    func write(_ output: DirectSteps.Output) {
        guard !isAnswered else { return }
        forgetRequest()
        guard hold(output.messages?.readableBytes ?? 0) else { return }
        if !headSent, output.messages != nil || output.end == nil { writeHead([:]) }
        if let messages = output.messages { wire.write(messages, isWatched: output.end == nil) }
        if let (status, metadata) = output.end {
            finish(with: status, metadata: metadata)
        } else if mayWrite, case .direct(let direct) = call {
            calls.executor.run(direct)
        }
        wire.flush()
    }

    func mayWriteAgain() {
        switch call {
        // Not at once: the connection is in the middle of writing.
        case .prepared(let stream, _, _), .routed(let stream): wire.connection.perform(stream)
        case .direct(let direct): calls.executor.run(direct)
        case .none, .expecting, .ready: break
        }
    }
}
