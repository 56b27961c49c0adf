// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

/// Finds the other images of a post: the objects whose names differ from one's in its last small number, as
/// `u1/p1/photo_0.jpg` and `photo_1.jpg`.
///
/// An app that loads the first alone has its log say how large the others are: so what loading all would have cost is known.
struct ObjectSiblings: Sendable {
    /// The most objects that are looked at for one.
    private static let countMax = 30
    private let store: SQLiteObjectStore

    init(of store: SQLiteObjectStore) { self.store = store }

    /// The live objects that differ from one in its number alone, itself among them; none where its number is not a place in a
    /// post, or the store cannot be read any more.
    func siblings(of metadata: ObjectMetadata) -> [ObjectMetadata] {
        guard let name = NumberedName(metadata.path.name.description), name.isPlace else { return [] }
        let query = ObjectListQuery(prefix: name.prefix, delimiter: "/", maxResults: Self.countMax)
        let listing = try? store.list(metadata.path.bucket, matching: query)
        return listing?.items.filter { item in
            let other = NumberedName(item.path.name.description)
            return other?.isPlace == true && other?.prefix == name.prefix && other?.suffix == name.suffix
        } ?? []
    }
}
