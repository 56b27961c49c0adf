// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Reads entities as documents, straight into the form in which they are stored.
struct EntityDecoder {
    /// The database that the documents go to.
    let database: DatabaseID

    /// Returns the document of an entity; `nil` for one of another database.
    ///
    /// The project in the key does not count.
    ///
    /// - Throws: `EntityFault` or `FirestoreError` for an entity that is damaged, or that no document can be made of.
    func decode(_ entity: UnsafeRawBufferPointer) throws -> (path: DocumentPath, fields: EncodedFields)? {
        var key: EntityKey?
        var properties: [EntityProperty] = []
        var reader = MessageReader(entity)
        while let tag = try reader.nextTag() {
            switch tag {
            case EntityTag.key:
                let read = try EntityKey(try reader.nextContent())
                guard read.isIn(databaseNamed: database.database) else { return nil }
                key = read
            default: try properties.read(tag, from: &reader)
            }
        }
        guard let path = try key?.path else { throw EntityFault.malformed }
        guard DocumentSize.byteCount(of: path) <= DocumentLimits.nameByteCountMax else {
            throw EntityFault(reason: "its name is too long")
        }
        var output = WireWriter(capacity: entity.count)
        try FieldWriter(database: database).append(properties, to: &output)
        return (path, try ImportedFields.checked(output.bytes, at: path, in: database))
    }
}

extension EntityDecoder {
    /// The name of an entity's database.
    static func database(of entity: UnsafeRawBufferPointer) throws(EntityFault) -> String {
        var reader = MessageReader(entity)
        while let tag = try reader.nextTag() {
            if tag == EntityTag.key { return try EntityKey(try reader.nextContent()).databaseName }
            try reader.skip(tag)
        }
        throw .malformed
    }
}

extension [EntityProperty] {
    /// Reads a property, and passes over anything else.
    mutating func read(_ tag: UInt64, from reader: inout MessageReader) throws(EntityFault) {
        switch tag {
        case EntityTag.indexedProperty, EntityTag.plainProperty:
            append(try EntityProperty(try reader.nextContent(), isIndexed: tag == EntityTag.indexedProperty))
        default: try reader.skip(tag)
        }
    }
}
