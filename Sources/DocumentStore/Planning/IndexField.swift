// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One of the indexes each collection and each collection group has.
enum IndexField: Hashable, Sendable {
    /// Documents by name.
    case name
    /// Documents by a field's value.
    case values(FieldPath)
    /// Documents by each element of an array field.
    case elements(FieldPath)

    /// The index's name within its scope.
    var key: OrderedKey {
        switch self {
        case .name: OrderedKey()
        case .values(let path): Self.key(0, path)
        case .elements(let path): Self.key(1, path)
        }
    }

    private static func key(_ kind: UInt8, _ path: FieldPath) -> OrderedKey {
        var encoder = KeyEncoder()
        encoder.append(byte: kind)
        for segment in path.segments {
            encoder.append(segment)
        }
        return encoder.key
    }
}

/// The layout of index entries: the key of the value, cut off when long, then the document's name in the scope.
enum IndexKey {
    /// Longer value keys are cut here; documents whose keys are cut alike are sorted when read.
    ///
    /// Source: cloud.google.com/firestore/quotas, maximum size of an indexed field value (2026-11).
    static let valueByteCountMax = 1_500

    static func truncate(_ value: OrderedKey) -> OrderedKey {
        guard value.bytes.count > valueByteCountMax else { return value }
        return OrderedKey(Array(value.bytes.prefix(valueByteCountMax)))
    }

    /// An interval that has the entries of all values in `values`, and perhaps others.
    static func interval(of values: KeyInterval) -> KeyInterval {
        let isCut = values.upper.bytes.count > valueByteCountMax
        return KeyInterval(truncate(values.lower), isCut ? truncate(values.upper).successor : values.upper)
    }
}
