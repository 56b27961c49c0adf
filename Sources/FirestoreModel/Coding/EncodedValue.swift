// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A value as `FieldsEncoder` wrote it, looked at in place.
///
/// It is valid for as long as the bytes stay where they are. Damaged bytes throw `FirestoreError` (data loss).
package struct EncodedValue {
    package enum Form {
        case null
        case boolean(Bool)
        case integer(Int64)
        case double(Double)
        /// UTF-8.
        case text(UnsafeRawBufferPointer)
        /// What its elements are in.
        case array(UnsafeRawBufferPointer)
        /// Every other value, a map among them.
        case other
    }

    private let bytes: UnsafeRawBufferPointer

    fileprivate init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The value of a document's field; `nil` where it is missing.
    ///
    /// - Parameters:
    ///   - name: The field's name, in UTF-8.
    ///   - fields: The bytes of the document's fields.
    /// - Returns: The value.
    /// - Throws: `FirestoreError` (data loss) for damaged bytes.
    package static func named(
        _ name: UnsafeRawBufferPointer,
        in fields: UnsafeRawBufferPointer
    ) throws -> EncodedValue? {
        var reader = WireReader(fields)
        return try reader.content(of: name, tagged: WireTag.documentField).map(EncodedValue.init)
    }

    package var form: Form {
        get throws {
            var reader = WireReader(bytes)
            return switch try reader.nextTag() {
            case WireTag.null: .null
            case WireTag.boolean: .boolean(try reader.nextVarint() != 0)
            case WireTag.integer: .integer(try reader.nextInteger())
            case WireTag.double: .double(try reader.nextDouble())
            case WireTag.string: .text(try reader.nextContent())
            case WireTag.array: .array(try reader.nextContent())
            default: .other
            }
        }
    }

    /// The value, decoded with all that is in it.
    package var decoded: Value {
        get throws { try FieldsDecoder.value(in: bytes) }
    }

    /// Visits the elements of an array, in their order, until a visit returns `false`.
    package static func visitElements(
        of array: UnsafeRawBufferPointer,
        _ visit: (EncodedValue) throws -> Bool
    ) throws {
        var reader = WireReader(array)
        while let tag = try reader.nextTag() {
            guard tag == WireTag.member else {
                try reader.skip(tag)
                continue
            }
            guard try visit(EncodedValue(try reader.nextContent())) else { return }
        }
    }
}
