// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// The answers of a session, numbered without gaps and kept until the page has acknowledged them.
///
///     append ──▶ unacknowledged answers ──▶ chunk ──▶ back channel
///                        ▲                              │ lost
///                        └──── acknowledge, rewind ◀────┘
struct ChannelOutbox {
    private struct Answer {
        /// The JSON of the array's one element.
        let json: [UInt8]
        /// The costs of the answer, until they are filed with the bytes of a chunk; `nil` where it is none of the call.
        var usages: [CallUsage]?
    }

    private var answers: Deque<Answer> = []
    /// The number of the newest answer; 0 is the answer that opened the session.
    private(set) var lastNumber = 0
    /// The number of the newest answer that the present back channel was given.
    private var sentNumber = 0
    /// Bytes that are unacknowledged.
    private(set) var byteCount = 0

    /// Answers that are unacknowledged.
    var count: Int { answers.count }

    /// Whether the call has to wait before it appends more.
    var isFull: Bool {
        byteCount >= ChannelLimits.outboundByteCountMax || count >= ChannelLimits.outboundCountMax
    }

    /// Whether the back channel should end, for the page to acknowledge.
    var needsAcknowledgement: Bool {
        byteCount >= ChannelLimits.byteCountOfBackChannel || count >= ChannelLimits.countOfBackChannel
    }

    /// Whether the present back channel was given everything.
    var isSent: Bool { sentNumber == lastNumber }

    /// Appends an answer; `usages` are filed with its bytes.
    mutating func append(_ json: [UInt8], usages: [CallUsage]? = []) {
        answers.append(Answer(json: json, usages: usages))
        lastNumber += 1
        byteCount += json.count
    }

    /// Appends what says nothing, but that the session is there.
    mutating func appendNoop() { append(Array(#""noop""#.utf8), usages: nil) }

    /// Forgets the answers up to a number, which the page has; `false` for one that was never sent.
    mutating func acknowledge(through number: Int) -> Bool {
        guard (0...lastNumber).contains(number) else { return false }
        while lastNumber - answers.count < number { byteCount -= answers.removeFirst().json.count }
        sentNumber = max(sentNumber, number)
        return true
    }

    /// Has a new back channel given everything that is not acknowledged.
    mutating func rewind() { sentNumber = lastNumber - answers.count }

    /// The next answers for the back channel in the form in which they are sent; `nil` when it has all.
    mutating func nextChunk() -> ChannelChunk? {
        guard !isSent else { return nil }
        var chunk = ChannelChunk(expecting: min(byteCount + 16 * count, ChannelLimits.chunkByteCountMax))
        repeat {
            let index = sentNumber + answers.count - lastNumber
            sentNumber += 1
            chunk.append(answers[index].json, number: sentNumber, usages: answers[index].usages)
            // When it is sent again, that costs nothing but its bytes.
            if answers[index].usages != nil { answers[index].usages = [] }
        } while !isSent && chunk.byteCount < ChannelLimits.chunkByteCountMax
        chunk.finish()
        return chunk
    }

    /// Costs that were never filed.
    mutating func takeUsages() -> [CallUsage] {
        answers.indices.flatMap { index in answers[index].usages.take() ?? [] }
    }
}
