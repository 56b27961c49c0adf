// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Writes the properties of an entity as the fields of a document, in the order of their names.
struct FieldWriter {
    /// The database of the document.
    let database: DatabaseID

    /// Where a value is.
    private struct Place {
        /// How many maps and arrays it is in.
        var depth = 0
        /// Whether all that it is in is indexed.
        var isIndexed = true

        func deeper(_ property: EntityProperty) -> Place {
            Place(depth: depth + 1, isIndexed: isIndexed && property.isIndexed)
        }
    }

    /// Appends the fields of a document.
    ///
    /// - Parameters:
    ///   - properties: The properties, in any order.
    ///   - output: The writer that they are appended to.
    /// - Throws: `EntityFault` or `FirestoreError` for properties that are damaged, or that have no counterpart.
    func append(_ properties: [EntityProperty], to output: inout WireWriter) throws {
        try append(properties, tagged: WireTag.documentField, at: Place(), to: &output)
    }

    private func append(
        _ properties: [EntityProperty],
        tagged tag: UInt64,
        at place: Place,
        to output: inout WireWriter
    ) throws {
        var rest = properties.sortedByName[...]
        while let first = rest.first {
            let group = rest.prefix { $0.isNamedLike(first) }
            rest = rest.dropFirst(group.count)
            guard group.count == 1 || group.allSatisfy(\.isMultiple) else {
                throw EntityFault(reason: "it has a field twice")
            }
            try append(tag, named: first.name, to: &output) {
                try append(valueOf: group, first, at: place, to: &$0)
            }
        }
    }

    private func append(
        _ tag: UInt64,
        named name: UnsafeRawBufferPointer,
        to output: inout WireWriter,
        value: (inout WireWriter) throws -> Void
    ) throws {
        try name.requireText()
        try output.append(tag) { entry in
            entry.append(WireTag.key, content: name)
            try entry.append(WireTag.value, message: value)
        }
    }

    private func append(
        valueOf group: ArraySlice<EntityProperty>,
        _ first: EntityProperty,
        at place: Place,
        to output: inout WireWriter
    ) throws {
        if first.isEmptyArray { return output.append(WireTag.array) { _ in } }
        if first.meaning == EntityMeaning.vector {
            return try output.append(WireTag.map) { try append(vector: group, at: place.deeper(first), to: &$0) }
        }
        guard first.isMultiple else { return try append(first, at: place, to: &output) }
        try append(elements: group, at: place.deeper(first), to: &output)
    }

    private func append(elements: ArraySlice<EntityProperty>, at place: Place, to output: inout WireWriter) throws {
        try output.append(WireTag.array) { array in
            for element in elements {
                try array.append(WireTag.member) { try append(element, at: place, to: &$0) }
            }
        }
    }

    private func append(_ property: EntityProperty, at place: Place, to output: inout WireWriter) throws {
        guard !EntityMeaning.enterprise.contains(property.meaning) else {
            throw EntityFault(reason: "a field has a type of the Enterprise edition (\(property.meaning))")
        }
        var reader = MessageReader(property.value)
        switch (try reader.nextTag(), property.meaning) {
        case (nil, _): output.append(WireTag.null, integer: 0)
        case (EntityTag.integer, EntityMeaning.timestamp):
            output.append(WireTag.timestamp, time: Timestamp(microseconds: try reader.nextInteger()))
        case (EntityTag.integer, _): output.append(WireTag.integer, integer: try reader.nextInteger())
        case (EntityTag.boolean, _): output.append(WireTag.boolean, integer: try reader.nextVarint() == 0 ? 0 : 1)
        case (EntityTag.double, _): output.append(WireTag.double, double: try reader.nextDouble())
        case (EntityTag.text, EntityMeaning.entity):
            try append(nested: try reader.nextContent(), at: place.deeper(property), to: &output)
        case (EntityTag.text, EntityMeaning.blob), (EntityTag.text, EntityMeaning.shortBlob):
            output.append(WireTag.bytes, content: try reader.nextContent())
        case (EntityTag.text, _):
            let text = try reader.nextContent()
            try text.requireText()
            output.append(WireTag.string, content: text)
        case (EntityTag.point, _): output.append(try reader.nextPoint())
        case (EntityTag.reference, _):
            let key = try EntityKey(referenceFrom: &reader)
            let target = target(of: key, isMoving: place.isIndexed && property.isIndexed)
            output.append(WireTag.reference, nameOf: try key.path, in: target)
        default: throw EntityFault(reason: "a field has an unknown type")
        }
        guard try reader.nextTag() == nil else { throw EntityFault.malformed }
    }

    /// The database of a reference: those that are indexed, with all that they are in, move along with the document.
    ///
    /// Source: official Firestore emulator of google-cloud-cli 528.0.0 (2026-11).
    private func target(of key: EntityKey, isMoving: Bool) -> DatabaseID {
        DatabaseID(
            project: isMoving ? database.project : EntityOwner.project(ofApp: key.app),
            database: EntityOwner.database(key.database)
        )
    }

    /// Appends a map, or the vector that a map stands for.
    private func append(nested entity: UnsafeRawBufferPointer, at place: Place, to output: inout WireWriter) throws {
        guard place.depth <= DocumentLimits.depthMax else {
            throw EntityFault(reason: "its fields nest more than \(DocumentLimits.depthMax) levels deep")
        }
        var properties: [EntityProperty] = []
        var reader = MessageReader(entity)
        while let tag = try reader.nextTag() { try properties.read(tag, from: &reader) }
        let isVector = properties.first?.name.elementsEqual(EntityMeaning.vectorName.utf8) ?? false
        try output.append(WireTag.map) { map in
            if isVector {
                try append(vector: properties[...], at: place, to: &map)
            } else {
                try append(properties, tagged: WireTag.member, at: place, to: &map)
            }
        }
    }

    private func append(
        vector elements: ArraySlice<EntityProperty>,
        at place: Place,
        to output: inout WireWriter
    ) throws {
        output.append(WireTag.member) { entry in
            entry.append(WireTag.key, text: BSONForm.typeName)
            entry.append(WireTag.value) { $0.append(WireTag.string, text: EntityMeaning.vectorName) }
        }
        try output.append(WireTag.member) { entry in
            entry.append(WireTag.key, text: "value")
            try entry.append(WireTag.value) { try append(elements: elements, at: place, to: &$0) }
        }
    }
}

extension MessageReader {
    /// Reads a point, whose group has begun, to the group's end.
    fileprivate mutating func nextPoint() throws(EntityFault) -> GeoPoint {
        var point = GeoPoint(latitude: 0, longitude: 0)
        while let tag = try nextTag() {
            switch tag {
            case EntityTag.pointEnd: return point
            case EntityTag.latitude: point.latitude = try nextDouble()
            case EntityTag.longitude: point.longitude = try nextDouble()
            default: try skip(tag)
            }
        }
        throw .malformed
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func requireText() throws(EntityFault) {
        guard allSatisfy({ $0 < 0x80 }) || String(validUTF8: self) != nil else {
            throw EntityFault(reason: "a text is not UTF-8")
        }
    }
}
