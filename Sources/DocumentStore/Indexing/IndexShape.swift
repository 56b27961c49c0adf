// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Which documents an index has, and by what.
///
/// Its entries are in the order of the parts, each turned round where it descends, and then of the documents' names,
/// ascending. An index in the opposite order is the same, read backwards.
struct IndexShape: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
        case collection(CollectionPath)
        /// All collections of an id, here in UTF-8: `String` would equate different spellings.
        case group([UInt8])
        /// All collections of the database.
        case everything
    }

    /// A field of the key.
    struct Part: Hashable, Sendable {
        enum Mode: Int64, Sendable {
            case ascending = 0
            case descending = 1
            /// An entry for each element of an array.
            case elements = 2
        }

        let path: FieldPath
        let mode: Mode

        var direction: Query.Direction { mode == .descending ? .descending : .ascending }
    }

    let scope: Scope
    /// A document has entries only if it has all of these.
    let parts: [Part]

    /// Whether the documents themselves are in this order.
    var isOrderOfDocuments: Bool {
        guard case .collection = scope else { return false }
        return parts.isEmpty
    }
}

extension IndexShape.Scope {
    init(_ scope: QueryScope) {
        switch scope {
        case .collection(let path): self = .collection(path)
        case .group(let id, _): self = .group(Array(id.utf8))
        case .everything: self = .everything
        }
    }

    func contains(_ collection: CollectionPath) -> Bool {
        switch self {
        case .collection(let path): path == collection
        case .group(let id): collection.id.utf8.elementsEqual(id)
        case .everything: true
        }
    }
}
