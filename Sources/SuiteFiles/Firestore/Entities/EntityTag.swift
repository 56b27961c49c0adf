// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tags of Datastore's entities: a field's number and its wire type.
///
/// Source: App Engine SDK, `datastore_v3.proto` and `entity.proto` (Apache-2.0); files of the official emulator of
/// google-cloud-cli 528.0.0 (2026-11).
enum EntityTag {
    // EntityProto.
    static let key: UInt64 = 13 << 3 | delimited
    static let indexedProperty: UInt64 = 14 << 3 | delimited
    static let plainProperty: UInt64 = 15 << 3 | delimited
    static let entityGroup: UInt64 = 16 << 3 | delimited

    // Property.
    static let meaning: UInt64 = 1 << 3 | varint
    static let name: UInt64 = 3 << 3 | delimited
    static let isMultiple: UInt64 = 4 << 3 | varint
    static let value: UInt64 = 5 << 3 | delimited

    // PropertyValue; at most one of these.
    static let integer: UInt64 = 1 << 3 | varint
    static let boolean: UInt64 = 2 << 3 | varint
    static let text: UInt64 = 3 << 3 | delimited
    static let double: UInt64 = 4 << 3 | eightBytes
    static let point: UInt64 = 5 << 3 | groupBegin
    static let pointEnd: UInt64 = 5 << 3 | groupEnd
    static let reference: UInt64 = 12 << 3 | groupBegin
    static let referenceEnd: UInt64 = 12 << 3 | groupEnd

    // The parts of a point.
    static let latitude: UInt64 = 6 << 3 | eightBytes
    static let longitude: UInt64 = 7 << 3 | eightBytes

    // A key and, apart from its path, a reference in a value.
    static let app: UInt64 = 13 << 3 | delimited
    static let path: UInt64 = 14 << 3 | delimited
    static let namespace: UInt64 = 20 << 3 | delimited
    static let database: UInt64 = 23 << 3 | delimited

    // The steps of a key's path.
    static let keyStep = StepTags(
        begin: 1 << 3 | groupBegin,
        collection: 2 << 3 | delimited,
        number: 3 << 3 | varint,
        name: 4 << 3 | delimited,
        end: 1 << 3 | groupEnd
    )
    /// Those of a reference in a value.
    static let referenceStep = StepTags(
        begin: 14 << 3 | groupBegin,
        collection: 15 << 3 | delimited,
        number: 16 << 3 | varint,
        name: 17 << 3 | delimited,
        end: 14 << 3 | groupEnd
    )

    // Wire types.
    static let varint: UInt64 = 0
    static let eightBytes: UInt64 = 1
    static let delimited: UInt64 = 2
    static let groupBegin: UInt64 = 3
    static let groupEnd: UInt64 = 4
    static let fourBytes: UInt64 = 5

    /// The tags of one step: a collection's id and a document's.
    struct StepTags {
        let begin: UInt64
        let collection: UInt64
        let number: UInt64
        let name: UInt64
        let end: UInt64
    }
}

/// How a property's value is to be read, where its type leaves that open.
///
/// Source: App Engine SDK, `entity.proto`, `Property.Meaning` (Apache-2.0).
enum EntityMeaning {
    static let none: Int64 = 0
    static let timestamp: Int64 = 7
    static let geoPoint: Int64 = 9
    static let blob: Int64 = 14
    static let shortBlob: Int64 = 16
    static let entity: Int64 = 19
    static let emptyList: Int64 = 24
    /// Of each element of a vector, in files of earlier emulators.
    static let vector: Int64 = 31
    /// Types of the Enterprise edition, such as decimal numbers.
    static let enterprise: ClosedRange<Int64> = 32...40

    /// Names of maps that stand for vectors.
    static let vectorName = "__vector__"
}

/// A part of an entity that cannot be read, or a field that entities have no form for.
struct EntityFault: Error, Equatable {
    let reason: String

    static let malformed = EntityFault(reason: "it is not an entity")
}
