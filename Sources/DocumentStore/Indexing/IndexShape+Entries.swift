// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension IndexShape {
    /// The keys of a document's entries, all different and ascending; none when it lacks a part.
    ///
    /// - Throws: `FirestoreError` (data loss) for bytes damaged in the file.
    func keys(of document: Document) throws -> [OrderedKey] {
        let collection = namePrefix(of: document.path.collection)
        return try document.encodedFields.bytes.withUnsafeBytes { fields in
            try OrderedKey(nameOf: document.path).bytes.withUnsafeBytes {
                try keys(of: fields, in: collection, name: $0)
            }
        }
    }

    /// The size for fields as they are stored, and a name in two parts: see `namePrefix(of:)`.
    func keys(
        of fields: UnsafeRawBufferPointer,
        in collection: OrderedKey,
        name: UnsafeRawBufferPointer
    ) throws -> [OrderedKey] {
        var prefixes: [KeyEncoder] = []
        var encoder = KeyEncoder()
        for part in parts {
            guard let value = try FieldsDecoder.value(at: part.path, in: fields) else { return [] }
            if part.mode == .elements {
                let elements = Set((value.arrayElements ?? []).map { OrderedKey($0) }).sorted()
                prefixes = prefixes.orOne(encoder).flatMap { prefix in elements.map { prefix.appending($0) } }
                if prefixes.isEmpty { return [] }
            } else if prefixes.isEmpty {
                encoder.append(value, in: part.direction)
            } else {
                for index in prefixes.indices {
                    prefixes[index].append(value, in: part.direction)
                }
            }
        }
        return prefixes.orOne(encoder).map { prefix in
            var encoder = prefix.appending(collection)
            encoder.append(raw: name)
            return encoder.key
        }
    }

    /// The prefix of the names of a collection's documents: nothing among its own, its path among others'.
    func namePrefix(of collection: CollectionPath) -> OrderedKey {
        guard case .collection = scope else { return OrderedKey(collection) }
        return OrderedKey()
    }
}

extension [KeyEncoder] {
    /// These, or when there are none the given one alone.
    fileprivate func orOne(_ encoder: KeyEncoder) -> [KeyEncoder] { isEmpty ? [encoder] : self }
}

extension KeyEncoder {
    fileprivate func appending(_ key: OrderedKey) -> KeyEncoder {
        var encoder = self
        key.bytes.withUnsafeBytes { encoder.append(raw: $0) }
        return encoder
    }
}

extension OrderedKey {
    /// A document's place within its collection.
    init(nameOf path: DocumentPath) {
        let id = path.id
        var encoder = KeyEncoder(capacity: id.utf8.count + 4)
        encoder.append(segment: id, isDocument: true)
        encoder.append(byte: 0)
        self = encoder.key
    }
}
