// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Whether names came in the order in which they are stored.
struct NameOrder {
    private(set) var isAscending = true
    /// Names with other characters than ASCII's: two of them may be equal as strings though their bytes differ.
    private(set) var foreignCount = 0
    private var last: UnsafeRawBufferPointer?

    package mutating func note(_ name: UnsafeRawBufferPointer) {
        if let last, !last.lexicographicallyPrecedes(name) { isAscending = false }
        if !name.allSatisfy({ $0 < 0x80 }) { foreignCount += 1 }
        last = name
    }
}

extension WireWriter {
    /// Brings the entries from a place on into the order of their names.
    ///
    /// - Throws: an error if a name comes twice.
    mutating func sortEntries(from start: Int) throws {
        let sorted = try bytes[start...].withUnsafeBytes { content in
            var reader = WireReader(content)
            var entries: [(name: UnsafeRawBufferPointer, entry: UnsafeRawBufferPointer, tag: UInt64)] = []
            while let tag = try reader.nextTag() {
                let entry = try reader.nextContent()
                var parts = WireReader(entry)
                _ = try parts.nextTag()
                entries.append((try parts.nextContent(), entry, tag))
            }
            entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
            var sorted = WireWriter(capacity: content.count)
            for (index, entry) in entries.enumerated() {
                guard index == 0 || entries[index - 1].name.lexicographicallyPrecedes(entry.name) else {
                    throw FirestoreError.corrupted("two fields of one name")
                }
                sorted.append(entry.tag, content: entry.entry)
            }
            return sorted
        }
        replaceLast(from: start, with: sorted)
    }
}
