// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore

/// Answers that may be given again to a request which is the same byte for byte.
///
///     head of a GET ──▶ kept, and still true ──▶ socket
///                  └──▶ codec ──▶ server ──▶ socket; kept when the same head came before
///
/// What an answer says is never decided here: it is one that the server gave, with the date of today. The server says
/// which may be repeated, and for how long they stay true, see ``Exchange/mayRepeat(while:)``.
final class AnswerMemory: Sendable {
    /// The most bytes of all answers and of the heads that they answer.
    static let byteCountMaxDefault = 64 << 20
    /// The most bytes of one answer.
    static let answerByteCountMax = 272 << 10
    /// The most bytes of a head that is looked up.
    static let headByteCountMax = 8 << 10

    /// What is known of a head.
    enum Finding {
        /// The answer in whole, dated now.
        case answer(KeptAnswer, GivenBytes)
        /// It came before: its answer is worth keeping.
        case again
        /// It comes for the first time, or did so long ago.
        case unknown
    }

    private let table: NIOLockedValueBox<AnswerTable>

    init(byteCountMax: Int = byteCountMaxDefault) {
        table = NIOLockedValueBox(AnswerTable(byteCountMax: byteCountMax))
    }

    /// Looks a whole head up.
    func find(_ head: ByteBuffer) -> Finding {
        let key = Self.key(head)
        let second = HTTPDate.presentSecond
        return table.withLockedValue { $0.find(key, head, second: second) }
    }

    /// Keeps an answer, in place of a former one to the same head.
    func keep(_ answer: KeptAnswer) {
        let key = Self.key(answer.head)
        table.withLockedValue { $0.keep(answer, at: key) }
    }

    private static func key(_ head: ByteBuffer) -> Int {
        var hasher = Hasher()
        head.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The bytes of an answer, dated now.
enum GivenBytes {
    case buffer(ByteBuffer)
    case file(MemoryFile)
}

/// The answers by the hashes of their heads.
///
/// The oldest goes first, unless it was given since its last turn.
private struct AnswerTable {
    private struct Entry {
        let answer: KeptAnswer
        /// The answer as it is given in a second since the Unix epoch.
        var dated: (second: Int64, bytes: ByteBuffer)
        /// The same in a file, where it is large and was given before in that second.
        var file: MemoryFile?
        var wasGiven = false

        mutating func give(atSecond second: Int64) -> GivenBytes {
            wasGiven = true
            if dated.second != second {
                dated = (second, answer.bytes(atSecond: second))
                file = nil
            } else if file == nil, answer.byteCount >= MemoryFile.byteCountMin {
                file = MemoryFile(dated.bytes)
            }
            return file.map { .file($0) } ?? .buffer(dated.bytes)
        }
    }

    /// How many hashes are remembered of heads without an answer here.
    private static let metCountMax = 8_192

    private let byteCountMax: Int
    private var entries: [Int: Entry] = [:]
    private var turns: CircularBuffer<Int> = []
    private var byteCount = 0
    /// The last hash met for each of its remainders.
    private var met = [Int](repeating: 0, count: metCountMax)

    init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
    }

    mutating func find(_ key: Int, _ head: ByteBuffer, second: Int64) -> AnswerMemory.Finding {
        if let index = entries.index(forKey: key), entries.values[index].answer.answers(head) {
            return .answer(entries.values[index].answer, entries.values[index].give(atSecond: second))
        }
        let index = Int(UInt(bitPattern: key) % UInt(Self.metCountMax))
        if met[index] == key { return .again }
        met[index] = key
        return .unknown
    }

    mutating func keep(_ answer: KeptAnswer, at key: Int) {
        guard answer.heldByteCount <= byteCountMax else { return }
        let entry = Entry(answer: answer, dated: (.min, ByteBuffer()))
        if let former = entries.updateValue(entry, forKey: key) {
            byteCount -= former.answer.heldByteCount
        } else {
            turns.append(key)
        }
        byteCount += answer.heldByteCount
        while byteCount > byteCountMax, let oldest = turns.popFirst() { turn(oldest) }
    }

    private mutating func turn(_ key: Int) {
        guard let entry = entries[key] else { return }
        if entry.wasGiven {
            entries[key]?.wasGiven = false
            entries[key]?.file = nil
            turns.append(key)
        } else {
            entries[key] = nil
            byteCount -= entry.answer.heldByteCount
        }
    }
}
