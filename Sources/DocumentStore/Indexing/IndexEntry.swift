// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One value under which an index finds a document.
struct IndexEntry: Hashable {
    /// See `IndexField.key`.
    let field: OrderedKey
    /// See `IndexKey.truncate`.
    let value: OrderedKey

    /// The entry by the document's name alone.
    static let name = IndexEntry(field: IndexField.name.key, value: OrderedKey())

    /// All entries of a document: each field, also within maps, and each element of each array.
    ///
    /// Entries cut to the same key are one.
    static func entries(of fields: [String: Value]) -> Set<IndexEntry> {
        var entries: Set<IndexEntry> = [.name]
        for (name, value) in fields {
            insert(value, at: [name], into: &entries)
        }
        return entries
    }

    private static func insert(_ value: Value, at segments: [String], into entries: inout Set<IndexEntry>) {
        let path = FieldPath(validated: segments)
        entries.insert(IndexEntry(field: IndexField.values(path).key, value: IndexKey.truncate(OrderedKey(value))))
        switch value {
        case .array(let elements):
            let field = IndexField.elements(path).key
            for element in elements {
                entries.insert(IndexEntry(field: field, value: IndexKey.truncate(OrderedKey(element))))
            }
        case .map(let fields):
            for (name, inner) in fields {
                insert(inner, at: segments + [name], into: &entries)
            }
        default: break
        }
    }
}
