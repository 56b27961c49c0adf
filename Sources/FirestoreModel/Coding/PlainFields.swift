// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Fields of a received document in the form in which they are stored, within all limits of a single write.
package struct PlainFields: Sendable, Hashable {
    package let encoded: EncodedFields
    /// Their part of the document's size, as `DocumentSize` counts it.
    package let byteCount: Int

    /// The name and the fields of a `google.firestore.v1.Document`, if nothing about the fields needs a closer look; with
    /// nearly all documents it is so.
    ///
    /// Throws, or returns `nil`, for damaged bytes, reserved names, vectors and other maps with a meaning, what is
    /// beyond a limit, kinds of values it does not know, and whatever else is for `FieldValidator` to judge.
    package static func read(
        fromDocument bytes: UnsafeRawBufferPointer
    ) throws -> (name: String, fields: PlainFields)? {
        var name = ""
        var reader = PlainFieldsReader(capacity: bytes.count)
        var parts = WireReader(bytes)
        while let tag = try parts.nextTag() {
            switch tag {
            case WireTag.documentName: name = try parts.nextValidText()
            case WireTag.documentField: try reader.add(try parts.nextContent())
            default: return nil
            }
        }
        return (name, try reader.finish())
    }
}
