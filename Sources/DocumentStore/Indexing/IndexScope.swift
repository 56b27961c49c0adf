// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A set of indexes: those of one collection, or of one collection group.
struct IndexScope: Hashable {
    /// Stored; never renumber.
    enum Kind: Int64 {
        case collection = 0
        case group = 1
    }

    let kind: Kind
    let key: [UInt8]

    static func collection(_ path: CollectionPath) -> IndexScope {
        IndexScope(kind: .collection, key: OrderedKey(path).bytes)
    }

    static func group(_ id: String) -> IndexScope {
        IndexScope(kind: .group, key: Array(id.utf8))
    }

    /// The scopes that index a document, each with the document's name in it.
    static func scopes(of path: DocumentPath) -> [(scope: IndexScope, name: OrderedKey)] {
        let collection = path.collection
        let collectionScope = IndexScope.collection(collection)
        let name = OrderedKey(path)
        let nameInCollection = OrderedKey(Array(name.bytes.dropFirst(collectionScope.key.count)))
        return [(collectionScope, nameInCollection), (.group(collection.id), name)]
    }
}

extension QueryScope {
    /// `nil` when no collection is named: the documents themselves are in the order of names.
    var indexScope: IndexScope? {
        switch self {
        case .collection(let path): .collection(path)
        case .group(let id, _): .group(id)
        case .everything: nil
        }
    }
}
