// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples

@testable import DocumentStore
@testable import FirestoreModel

/// A database with values of BSON: any but the default one.
let enterprise = DatabaseID(project: "demo", database: "enterprise")

/// Values of BSON as maps, the way they come and are stored.
extension Value {
    static let minKey = Value.map(["__min__": .null])
    static let maxKey = Value.map(["__max__": .null])

    static func int32(_ number: Int64) -> Value { .map(["__int__": .integer(number)]) }

    static func decimal(_ text: String) -> Value { .map(["__decimal128__": .string(text)]) }

    static func binary(_ bytes: [UInt8]) -> Value { .map(["__binary__": .bytes(bytes)]) }

    static func objectID(_ text: String) -> Value { .map(["__oid__": .string(text)]) }

    static func bsonTime(_ seconds: Int64, _ increment: Int64) -> Value {
        .map(["__request_timestamp__": .map(["seconds": .integer(seconds), "increment": .integer(increment)])])
    }

    static func regex(_ pattern: String, _ options: String = "") -> Value {
        .map(["__regex__": .map(["pattern": .string(pattern), "options": .string(options)])])
    }
}
