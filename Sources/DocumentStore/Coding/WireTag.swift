// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tags of `google.firestore.v1.Value` and the messages in it: a field's number and its wire type.
///
/// Source: googleapis `google/firestore/v1/document.proto`; protobuf.dev/programming-guides/encoding (2026-11).
package enum WireTag {
    // Value: exactly one of these.
    package static let boolean: UInt64 = 1 << 3 | varint
    package static let integer: UInt64 = 2 << 3 | varint
    package static let double: UInt64 = 3 << 3 | eightBytes
    package static let reference: UInt64 = 5 << 3 | delimited
    package static let map: UInt64 = 6 << 3 | delimited
    package static let geoPoint: UInt64 = 8 << 3 | delimited
    package static let array: UInt64 = 9 << 3 | delimited
    package static let timestamp: UInt64 = 10 << 3 | delimited
    package static let null: UInt64 = 11 << 3 | varint
    package static let string: UInt64 = 17 << 3 | delimited
    package static let bytes: UInt64 = 18 << 3 | delimited

    // Document.
    package static let documentName: UInt64 = 1 << 3 | delimited
    package static let documentField: UInt64 = 2 << 3 | delimited
    package static let documentCreateTime: UInt64 = 3 << 3 | delimited
    package static let documentUpdateTime: UInt64 = 4 << 3 | delimited
    /// `Write.update`.
    package static let writeUpdate: UInt64 = 1 << 3 | delimited
    /// `CommitRequest.writes`.
    package static let commitWrite: UInt64 = 2 << 3 | delimited
    /// `CommitRequest.database` and `transaction`.
    package static let commitDatabase: UInt64 = 1 << 3 | delimited
    package static let commitTransaction: UInt64 = 3 << 3 | delimited
    /// `CommitResponse.write_results` and `commit_time`.
    package static let commitWriteResult: UInt64 = 1 << 3 | delimited
    package static let commitTime: UInt64 = 2 << 3 | delimited
    /// `WriteResult.update_time`.
    package static let writeResultUpdateTime: UInt64 = 1 << 3 | delimited
    /// `BatchGetDocumentsRequest.database` and `documents`.
    package static let batchGetDatabase: UInt64 = 1 << 3 | delimited
    package static let batchGetDocument: UInt64 = 2 << 3 | delimited
    /// `MapValue.fields` and `ArrayValue.values`.
    package static let member: UInt64 = 1 << 3 | delimited
    /// The parts of a map's entry.
    package static let key: UInt64 = 1 << 3 | delimited
    package static let value: UInt64 = 2 << 3 | delimited
    /// `Timestamp`.
    package static let seconds: UInt64 = 1 << 3 | varint
    package static let nanoseconds: UInt64 = 2 << 3 | varint
    /// `LatLng`.
    package static let latitude: UInt64 = 1 << 3 | eightBytes
    package static let longitude: UInt64 = 2 << 3 | eightBytes

    // Wire types.
    package static let varint: UInt64 = 0
    static let eightBytes: UInt64 = 1
    package static let delimited: UInt64 = 2
    static let fourBytes: UInt64 = 5
}

/// How the protocol writes a vector: as a map of two fields, one of which has a name no client may use.
enum VectorMap {
    static let typeName = "__type__"
    static let type = "__vector__"
    static let valueName = "value"
}
