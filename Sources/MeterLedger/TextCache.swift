// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The ids of texts met lately, so that a busy ledger looks few of them up.
struct TextCache: Sendable {
    static let entryCountMax = 65_536

    /// A text equal by bytes: the composed and the decomposed letter are two, although they are equal as a `String`.
    private struct Key: Hashable {
        var text: String

        static func == (left: Self, right: Self) -> Bool {
            var (left, right) = (left.text, right.text)
            return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var ids: [Key: Int64] = [:]

    mutating func id(of text: String, in table: TextTable) throws -> Int64 {
        let key = Key(text: text)
        if let id = ids[key] { return id }
        let id = try table.id(of: text)
        if ids.count >= Self.entryCountMax { ids.removeAll(keepingCapacity: true) }
        ids[key] = id
        return id
    }

    /// Forgets everything; for a transaction that was undone, whose ids other texts may get.
    mutating func forget() {
        ids.removeAll()
    }
}
