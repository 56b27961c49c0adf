// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DequeModule
import NIOConcurrencyHelpers
import NIOCore

/// Answers that may be given again to a request which is the same byte for byte.
///
///     head of a GET ──▶ kept, and still true ──▶ socket
///                  └──▶ codec ──▶ server ──▶ socket; kept when the same head came before
///
/// The content of an answer is never decided here: it is one that the server gave, with the date of today. The server says
/// which may be repeated, and for how long they stay true, see ``Exchange/mayRepeat(while:)``.
final class AnswerMemory: Sendable {
    /// The most bytes of all answers and of the heads that they answer.
    static let byteCountMaxDefault = 64 << 20
    /// The most bytes of one answer.
    static let answerByteCountMax = 272 << 10
    /// The most bytes of a head that is looked up.
    static let headByteCountMax = 8 << 10

    /// The finding for a head.
    enum Finding {
        /// The answer in whole, dated now.
        case answer(KeptAnswer, GivenBytes)
        /// It came before: its answer is worth keeping.
        case again
        /// It comes for the first time, or did so long ago.
        case unknown
    }

    private let table: NIOLockedValueBox<AnswerTable>

    init(byteCountMax: Int = byteCountMaxDefault, budget: DescriptorBudget = .process) {
        table = NIOLockedValueBox(AnswerTable(byteCountMax: byteCountMax, budget: budget))
    }

    /// Looks a whole head up, in a second since the Unix epoch.
    func find(_ head: ByteBuffer, second: Int64 = HTTPDate.presentSecond) -> Finding {
        let key = Self.key(head)
        return table.withLockedValue { $0.find(key, head: head, second: second) }
    }

    /// Keeps an answer, in place of a former one to the same head.
    func keep(_ answer: KeptAnswer, bytes: DatedBytes) {
        let key = Self.key(answer.head)
        table.withLockedValue { $0.keep(answer, bytes: bytes, at: key) }
    }

    private static func key(_ head: ByteBuffer) -> Int {
        var hasher = Hasher()
        head.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The answers by the hashes of their heads.
///
/// The oldest goes first, unless it was given since its last turn.
private struct AnswerTable {
    private struct Entry {
        let answer: KeptAnswer
        var bytes: DatedBytes
        var wasGiven = false

        var heldByteCount: Int { answer.heldByteCount + bytes.heldByteCount }

        /// Returns the answer to a head; `nil` where this is none.
        mutating func give(to head: ByteBuffer, atSecond second: Int64) -> (KeptAnswer, GivenBytes)? {
            guard answer.answers(head) else { return nil }
            wasGiven = true
            return (answer, bytes.give(atSecond: second))
        }
    }

    /// How many heads without an answer here are remembered at least, once there were this many.
    private static let metCountMax = 8_192

    private let byteCountMax: Int
    private var entries: [Int: Entry] = [:]
    private var turns: Deque<Int> = []
    private var byteCount = 0
    /// The hashes of heads without an answer here that came lately.
    private var met = LateKeys(countMax: metCountMax)
    private let budget: DescriptorBudget
    /// The files, from the oldest on: of what, and of which second.
    private var files: Deque<(key: Int, second: Int64)> = []

    init(byteCountMax: Int, budget: DescriptorBudget) {
        self.byteCountMax = byteCountMax
        self.budget = budget
    }

    mutating func find(_ key: Int, head: ByteBuffer, second: Int64) -> AnswerMemory.Finding {
        // In place: a copy of the entry would take longer than the rest.
        if let index = entries.index(forKey: key),
            let (answer, bytes) = entries.values[index].give(to: head, atSecond: second)
        {
            guard entries.values[index].bytes.isWorthFile else { return .answer(answer, bytes) }
            forgetLateFiles(second)
            files.append((key, second))
            return .answer(answer, entries.values[index].bytes.giveFile(budget))
        }
        return met.insert(key) ? .unknown : .again
    }

    mutating func keep(_ answer: KeptAnswer, bytes: DatedBytes, at key: Int) {
        let entry = Entry(answer: answer, bytes: bytes)
        guard entry.heldByteCount <= byteCountMax else { return }
        if let former = entries.updateValue(entry, forKey: key) {
            byteCount -= former.heldByteCount
        } else {
            turns.append(key)
        }
        byteCount += entry.heldByteCount
        while byteCount > byteCountMax, let oldest = turns.popFirst() { turn(oldest) }
    }

    /// Makes room for a file: those of former seconds are sent no more.
    private mutating func forgetLateFiles(_ second: Int64) {
        // Two at a time are enough to keep ahead, and no caller waits long.
        for _ in 1...2 {
            guard let oldest = files.first, oldest.second != second else { return }
            files.removeFirst()
            // By its index, as asking for an absent key may move all entries.
            guard let index = entries.index(forKey: oldest.key) else { continue }
            entries.values[index].bytes.forgetFile(unlessOf: second)
        }
    }

    private mutating func turn(_ key: Int) {
        guard let entry = entries[key] else { return }
        if entry.wasGiven {
            entries[key]?.wasGiven = false
            entries[key]?.bytes.forgetFile()
            turns.append(key)
        } else {
            entries[key] = nil
            byteCount -= entry.heldByteCount
        }
    }
}

/// The different keys that came last: at least `countMin` of them, and at most twice that.
struct LateKeys {
    private let countMax: Int
    private var newer: Set<Int> = []
    private var older: Set<Int> = []

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Returns `false` when the key was here.
    mutating func insert(_ key: Int) -> Bool {
        guard newer.insert(key).inserted else { return false }
        let isNew = !older.contains(key)
        if newer.count == countMax {
            older = newer
            newer = []
        }
        return isNew
    }
}
