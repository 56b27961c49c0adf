// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension IndexShape {
    /// The keys of a document's entries, all different and ascending; none when it lacks a part.
    func keys(of document: Document) -> [OrderedKey] {
        keys(of: document.encodedFields, name: name(of: document.path))
    }

    func keys(of fields: EncodedFields, name: OrderedKey) -> [OrderedKey] {
        var encoders = [KeyEncoder()]
        for part in parts {
            guard let value = fields.value(at: part.path) else { return [] }
            if part.mode == .elements {
                let elements = Set((value.arrayElements ?? []).map { OrderedKey($0) }).sorted()
                encoders = encoders.flatMap { prefix in elements.map { prefix.appending($0) } }
            } else {
                for index in encoders.indices {
                    encoders[index].append(value, part.direction)
                }
            }
        }
        return encoders.map { $0.appending(name).key }
    }

    /// What ends a document's keys: its id within a collection, its path otherwise.
    private func name(of path: DocumentPath) -> OrderedKey {
        guard case .collection = scope else { return OrderedKey(path) }
        return OrderedKey(nameOf: path)
    }

    /// The same, put together from what is stored.
    func name(in collection: OrderedKey, _ nameInCollection: OrderedKey) -> OrderedKey {
        guard case .collection = scope else { return collection + nameInCollection }
        return nameInCollection
    }
}

extension KeyEncoder {
    fileprivate func appending(_ key: OrderedKey) -> KeyEncoder {
        var encoder = self
        encoder.append(key)
        return encoder
    }
}

extension OrderedKey {
    /// A document's place within its collection.
    init(nameOf path: DocumentPath) {
        var encoder = KeyEncoder()
        encoder.append(segment: path.id, isDocument: true)
        encoder.append(byte: 0)
        self = encoder.key
    }
}
