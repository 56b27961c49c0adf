// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A field of a document or a map as `FieldsEncoder` wrote it, looked at in place.
struct StoredField {
    let name: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer

    /// Hands out the fields in their order.
    static func visit(
        _ fields: UnsafeRawBufferPointer,
        tagged wanted: UInt64,
        _ visit: (StoredField) throws -> Void
    ) throws {
        var reader = MessageReader(fields)
        while let tag = try reader.nextTag() {
            guard tag == wanted else { throw EntityFault.malformed }
            var entry = MessageReader(try reader.nextContent())
            guard try entry.nextTag() == WireTag.key else { throw EntityFault.malformed }
            let name = try entry.nextContent()
            guard try entry.nextTag() == WireTag.value else { throw EntityFault.malformed }
            try visit(StoredField(name: name, value: try entry.nextContent()))
        }
    }

    var isEmptyArray: Bool {
        get throws {
            var reader = MessageReader(value)
            guard try reader.nextTag() == WireTag.array else { return false }
            return try reader.nextContent().isEmpty
        }
    }

    /// The elements of a map that stands for a vector; `nil` for any other map.
    static func vectorElements(of map: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        var isVector = false
        var elements: UnsafeRawBufferPointer?
        try visit(map, tagged: WireTag.member) { field in
            var value = MessageReader(field.value)
            switch try value.nextTag() {
            case WireTag.string where field.name.elementsEqual(BSONForm.typeName.utf8):
                isVector = try value.nextContent().elementsEqual(EntityMeaning.vectorName.utf8)
            case WireTag.array where field.name.elementsEqual("value".utf8):
                elements = try value.nextContent()
            default: break
            }
        }
        return isVector ? elements : nil
    }
}
