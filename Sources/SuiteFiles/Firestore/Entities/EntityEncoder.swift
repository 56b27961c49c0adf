// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Writes documents as entities, straight from the form in which they are stored.
///
/// The bytes are those of the official emulator 1.22.0, but for the order of fields and the sign of zero, which it drops.
/// Entities have no create and update times. Values of BSON are written as the maps that stand for them.
struct EntityEncoder {
    /// The database of the documents.
    let database: DatabaseID

    /// Returns the entity of a document.
    ///
    /// - Parameters:
    ///   - path: The document's path.
    ///   - fields: Its fields as `FieldsEncoder` writes them.
    /// - Returns: The bytes of the entity.
    /// - Throws: `EntityFault` for fields that are damaged.
    func encode(_ path: DocumentPath, fields: UnsafeRawBufferPointer) throws -> [UInt8] {
        var output = WireWriter(capacity: fields.count * 2 + 256)
        output.append(EntityTag.key) { key in
            key.append(EntityTag.app, text: EntityOwner.app(of: database))
            key.append(EntityTag.path) { $0.append(path.segments[...], EntityTag.keyStep) }
            key.appendDatabase(database.database)
        }
        try output.append(propertiesOf: fields, tagged: WireTag.documentField)
        output.append(EntityTag.entityGroup) { $0.append(path.segments[..<2], EntityTag.keyStep) }
        return output.bytes
    }
}

/// How entities name projects and databases.
enum EntityOwner {
    /// Behind it is the project; production has `s~` and others here.
    private static let prefix = "dev~"

    static func app(of database: DatabaseID) -> String { prefix + database.project }

    /// The project of an app id; production puts the place of its servers in front.
    static func project(ofApp app: String) -> String {
        app.utf8.firstIndex(of: UInt8(ascii: "~")).map { String(app[app.utf8.index(after: $0)...]) } ?? app
    }

    /// A database's name from an entity, which has none for the default one.
    static func database(_ name: String) -> String {
        name.isEmpty ? DatabaseID(project: "").database : name
    }
}

extension WireWriter {
    /// Appends the steps of a path: pairs of a collection's id and a document's.
    fileprivate mutating func append(_ segments: ArraySlice<String>, _ tags: EntityTag.StepTags) {
        var rest = segments
        while let collection = rest.popFirst(), let document = rest.popFirst() {
            append(varint: tags.begin)
            append(tags.collection, text: collection)
            if let number = ResourceID.numericValue(of: document) {
                append(tags.number, integer: number)
            } else {
                append(tags.name, text: document)
            }
            append(varint: tags.end)
        }
    }

    /// Appends a database's name unless it is the default one.
    fileprivate mutating func appendDatabase(_ name: String) {
        if name != EntityOwner.database("") { append(EntityTag.database, text: name) }
    }

    /// Appends the fields of a document or a map; empty arrays come first, as the only ones that are indexed.
    fileprivate mutating func append(propertiesOf fields: UnsafeRawBufferPointer, tagged tag: UInt64) throws {
        try StoredField.visit(fields, tagged: tag) { field in
            guard try field.isEmptyArray else { return }
            append(EntityTag.indexedProperty, propertyNamed: field.name, EntityMeaning.emptyList) { _ in }
        }
        try StoredField.visit(fields, tagged: tag) { field in
            var value = MessageReader(field.value)
            switch try value.nextTag() {
            case WireTag.array: try append(elements: try value.nextContent(), of: field.name)
            default: try append(field, isMultiple: false)
            }
        }
    }

    private mutating func append(elements: UnsafeRawBufferPointer, of name: UnsafeRawBufferPointer) throws {
        var elements = MessageReader(elements)
        while let tag = try elements.nextTag() {
            guard tag == WireTag.member else { throw EntityFault.malformed }
            try append(StoredField(name: name, value: try elements.nextContent()), isMultiple: true)
        }
    }

    private mutating func append(
        _ tag: UInt64,
        propertyNamed name: UnsafeRawBufferPointer,
        _ meaning: Int64,
        isMultiple: Bool = false,
        value: (inout WireWriter) throws -> Void
    ) rethrows {
        try append(tag) { property in
            if meaning != EntityMeaning.none { property.append(EntityTag.meaning, integer: meaning) }
            property.append(EntityTag.name, content: name)
            property.append(EntityTag.isMultiple, integer: isMultiple ? 1 : 0)
            try property.append(EntityTag.value, message: value)
        }
    }

    private mutating func append(_ field: StoredField, isMultiple: Bool) throws {
        var value = MessageReader(field.value)
        guard let tag = try value.nextTag() else { throw EntityFault.malformed }
        let meaning = try Self.meaning(of: tag)
        try append(EntityTag.plainProperty, propertyNamed: field.name, meaning, isMultiple: isMultiple) { output in
            switch tag {
            case WireTag.boolean: output.append(EntityTag.boolean, integer: try value.nextInteger())
            case WireTag.integer: output.append(EntityTag.integer, integer: try value.nextInteger())
            case WireTag.double: output.append(EntityTag.double, double: try value.nextDouble())
            case WireTag.string, WireTag.bytes: output.append(EntityTag.text, content: try value.nextContent())
            case WireTag.timestamp:
                let time = try WireReader(try value.nextContent()).timestamp()
                output.append(EntityTag.integer, integer: time.microseconds)
            case WireTag.geoPoint: output.append(point: try WireReader(try value.nextContent()).geoPoint())
            case WireTag.reference: output.append(try DocumentReference(parsing: try value.nextText()))
            case WireTag.map: try output.append(EntityTag.text) { try $0.append(nested: try value.nextContent()) }
            default: break
            }
        }
    }

    private static func meaning(of tag: UInt64) throws -> Int64 {
        switch tag {
        case WireTag.timestamp: EntityMeaning.timestamp
        case WireTag.geoPoint: EntityMeaning.geoPoint
        case WireTag.bytes: EntityMeaning.blob
        case WireTag.map: EntityMeaning.entity
        case WireTag.null, WireTag.boolean, WireTag.integer, WireTag.double, WireTag.string, WireTag.reference:
            EntityMeaning.none
        default: throw EntityFault(reason: "it has an array within an array")
        }
    }

    private mutating func append(point: GeoPoint) {
        append(varint: EntityTag.point)
        append(EntityTag.latitude, double: point.latitude)
        append(EntityTag.longitude, double: point.longitude)
        append(varint: EntityTag.pointEnd)
    }

    private mutating func append(_ reference: DocumentReference) {
        append(varint: EntityTag.reference)
        append(EntityTag.app, text: EntityOwner.app(of: reference.database))
        append(reference.path.segments[...], EntityTag.referenceStep)
        appendDatabase(reference.database.database)
        append(varint: EntityTag.referenceEnd)
    }

    /// Appends a map as an entity whose key is empty.
    private mutating func append(nested map: UnsafeRawBufferPointer) throws {
        append(EntityTag.key) { key in
            key.append(EntityTag.app, text: "")
            key.append(EntityTag.path, text: "")
        }
        if let elements = try StoredField.vectorElements(of: map) {
            var name = EntityMeaning.vectorName
            try name.withUTF8 { try append(elements: elements, of: UnsafeRawBufferPointer($0)) }
        } else {
            try append(propertiesOf: map, tagged: WireTag.member)
        }
        append(EntityTag.entityGroup, text: "")
    }
}
