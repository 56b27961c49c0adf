// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Lets the server's settings hold for the codec before the client has acknowledged them.
///
/// Until then the codec takes heads of up to 16 KiB, and ends the whole connection for a larger one, which a client may
/// well send with its first call. Our settings allow more than the defaults in everything that a client sends, so they
/// can hold from the start: the codec reads an acknowledgement behind the client's first frame, which has to be SETTINGS
/// (RFC 9113 section 3.4), and never sees the client's own.
struct EarlySettings {
    private enum State {
        /// Bytes of the preface, or of a frame's payload, that pass as they are; then comes a frame.
        case passing(remaining: Int)
        case head
        /// The client has acknowledged, or broken the protocol: all passes as it is.
        case done
    }

    private static let headByteCount = 9
    private static let settingsKind: UInt8 = 4
    private static let acknowledgementFlag: UInt8 = 1
    private static let acknowledgement: [UInt8] = [0, 0, 0, settingsKind, acknowledgementFlag, 0, 0, 0, 0]

    private var state = State.passing(remaining: HTTPPreface.bytes.count)
    /// The frame header being read.
    private var head: [UInt8] = []
    private var isFirstFrame = true
    /// The frame that passes is the client's first SETTINGS.
    private var isAcknowledgementDue = false

    /// Returns the bytes for the codec.
    mutating func passed(_ bytes: ByteBuffer) -> ByteBuffer {
        if case .done = state { return bytes }
        var input = bytes
        var output = ByteBuffer()
        while input.readableBytes > 0 {
            switch state {
            case .passing(let remaining): pass(remaining, from: &input, to: &output)
            case .head: readHead(from: &input, to: &output)
            case .done: output.writeBuffer(&input)
            }
        }
        return output
    }

    private mutating func pass(_ remaining: Int, from input: inout ByteBuffer, to output: inout ByteBuffer) {
        let count = min(remaining, input.readableBytes)
        if var piece = input.readSlice(length: count) { output.writeBuffer(&piece) }
        state = .passing(remaining: remaining - count)
        if count == remaining { endFrame(&output) }
    }

    private mutating func endFrame(_ output: inout ByteBuffer) {
        state = .head
        guard isAcknowledgementDue else { return }
        isAcknowledgementDue = false
        output.writeBytes(Self.acknowledgement)
    }

    private mutating func readHead(from input: inout ByteBuffer, to output: inout ByteBuffer) {
        while head.count < Self.headByteCount, let byte = input.readInteger(as: UInt8.self) { head.append(byte) }
        guard head.count == Self.headByteCount else { return }
        let isSettings = head[3] == Self.settingsKind
        let isAcknowledgement = isSettings && head[4] & Self.acknowledgementFlag != 0
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        if isFirstFrame {
            isFirstFrame = false
            isAcknowledgementDue = isSettings && !isAcknowledgement
            output.writeBytes(head)
            state = isAcknowledgementDue ? .passing(remaining: length) : .done
        } else if isAcknowledgement {
            // One with a payload is an error, which the codec has to see.
            if length > 0 { output.writeBytes(head) }
            state = .done
        } else {
            output.writeBytes(head)
            state = .passing(remaining: length)
        }
        head.removeAll(keepingCapacity: true)
        if case .passing(remaining: 0) = state { endFrame(&output) }
    }
}
