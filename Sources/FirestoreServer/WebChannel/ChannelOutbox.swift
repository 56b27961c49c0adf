// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The answers of a session, numbered without gaps and kept until the page has acknowledged them.
///
///     append ──▶ unacknowledged answers ──▶ chunk ──▶ back channel
///                        ▲                              │ lost
///                        └──── acknowledge, rewind ◀────┘
struct ChannelOutbox {
    private struct Answer {
        /// The JSON of the array's one element.
        let json: [UInt8]
        /// The costs of the answer, until they are filed with the bytes of a chunk.
        var usages: [CallUsage]
    }

    private var answers: CircularBuffer<Answer> = []
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
    mutating func append(_ json: [UInt8], usages: [CallUsage] = []) {
        answers.append(Answer(json: json, usages: usages))
        lastNumber += 1
        byteCount += json.count
    }

    /// Appends what says nothing, but that the session is there.
    mutating func appendNoop() { append(Array(#""noop""#.utf8)) }

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
        var json: [UInt8] = []
        var usages: [CallUsage] = []
        repeat {
            let index = answers.index(answers.startIndex, offsetBy: sentNumber + answers.count - lastNumber)
            sentNumber += 1
            json.append(contentsOf: json.isEmpty ? "[[\(sentNumber),[".utf8 : ",[\(sentNumber),[".utf8)
            json.append(contentsOf: answers[index].json)
            json.append(contentsOf: "]]".utf8)
            usages += answers[index].usages
            answers[index].usages = []
        } while !isSent && json.count < ChannelLimits.chunkByteCountMax
        json.append(UInt8(ascii: "]"))
        return ChannelChunk(json, usages: usages)
    }

    /// Costs that were never filed.
    mutating func takeUsages() -> [CallUsage] {
        answers.indices.flatMap { index in
            defer { answers[index].usages = [] }
            return answers[index].usages
        }
    }
}

/// Answers as one array of JSON, its length before it.
struct ChannelChunk {
    let bytes: [UInt8]
    /// The costs of the answers in it.
    let usages: [CallUsage]

    /// Puts the length before JSON: browsers count UTF-16 code units.
    init(_ json: [UInt8], usages: [CallUsage] = []) {
        bytes = Array("\(Self.utf16Length(of: json))\n".utf8) + json
        self.usages = usages
    }

    /// A character has a unit, one of four bytes in UTF-8 has two; bytes that continue a character have none.
    private static func utf16Length(of utf8: [UInt8]) -> Int {
        utf8.reduce(into: 0) { length, byte in
            if byte & 0b1100_0000 != 0b1000_0000 { length += byte >= 0b1111_0000 ? 2 : 1 }
        }
    }
}
