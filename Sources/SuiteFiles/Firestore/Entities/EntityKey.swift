// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The key of an entity, or a reference in a value.
struct EntityKey {
    private(set) var app = ""
    private(set) var database = ""
    private(set) var segments: [String] = []

    /// Reads an entity's key.
    init(_ bytes: UnsafeRawBufferPointer) throws(EntityFault) {
        var reader = MessageReader(bytes)
        while let tag = try reader.nextTag() {
            guard tag == EntityTag.path else {
                try readOwner(tag, from: &reader)
                continue
            }
            var path = MessageReader(try reader.nextContent())
            while let tag = try path.nextTag() {
                guard tag == EntityTag.keyStep.begin else { throw .malformed }
                try readStep(EntityTag.keyStep, from: &path)
            }
        }
    }

    /// Reads a reference, whose group has begun, to the group's end.
    init(referenceFrom reader: inout MessageReader) throws(EntityFault) {
        while let tag = try reader.nextTag() {
            switch tag {
            case EntityTag.referenceEnd: return
            case EntityTag.referenceStep.begin: try readStep(EntityTag.referenceStep, from: &reader)
            default: try readOwner(tag, from: &reader)
            }
        }
        throw .malformed
    }

    private mutating func readOwner(_ tag: UInt64, from reader: inout MessageReader) throws(EntityFault) {
        switch tag {
        case EntityTag.app: app = try reader.nextText()
        case EntityTag.database: database = try reader.nextText()
        case EntityTag.namespace:
            guard try reader.nextContent().isEmpty else {
                throw EntityFault(reason: "it is in a namespace, which Firestore does not have")
            }
        default: try reader.skip(tag)
        }
    }

    private mutating func readStep(
        _ tags: EntityTag.StepTags,
        from reader: inout MessageReader
    ) throws(EntityFault) {
        var (collection, document) = ("", "")
        while let tag = try reader.nextTag() {
            switch tag {
            case tags.end:
                segments.append(collection)
                segments.append(document)
                return
            case tags.collection: collection = try reader.nextText()
            case tags.name: document = try reader.nextText()
            case tags.number: document = "__id\(try reader.nextInteger())__"
            default: try reader.skip(tag)
            }
        }
        throw .malformed
    }

    /// The document's path; throws `FirestoreError` for ids that no document may have.
    var path: DocumentPath { get throws { try DocumentPath(segments) } }

    /// The name of the database.
    var databaseName: String { EntityOwner.database(database) }

    /// Whether it is in a database; production writes the default one in either of two ways.
    func isIn(databaseNamed name: String) -> Bool {
        databaseName.utf8.elementsEqual(name.utf8)
    }
}
