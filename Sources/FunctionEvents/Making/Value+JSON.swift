// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation
import JSON

// Documents and values in the JSON of Firestore's REST API, which functions of generation 1 read.

extension Document {
    /// The document; fields and times included.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func json(in database: DatabaseID) throws -> JSONText {
        .object([
            ("name", .string("\(database.documentsName)/\(path)")), ("fields", Value.json(of: try fields)),
            ("createTime", .string(EventTime.text(createTime))), ("updateTime", .string(EventTime.text(updateTime))),
        ])
    }
}

extension Value {
    fileprivate static func json(of fields: [String: Value]) -> JSONText {
        .object(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
    }

    private var json: JSONText {
        switch self {
        case .null: member("nullValue", .verbatim("null"))
        case .boolean(let flag): member("booleanValue", .boolean(flag))
        case .integer(let number): member("integerValue", .string(String(number)))
        case .double(let number): member("doubleValue", Self.json(number))
        case .timestamp(let time): member("timestampValue", .string(EventTime.text(time)))
        case .string(let text): member("stringValue", .string(text))
        case .bytes(let content): member("bytesValue", .string(Data(content).base64EncodedString()))
        case .reference(let reference):
            member("referenceValue", .string("\(reference.database.documentsName)/\(reference.path)"))
        case .geoPoint(let point):
            member(
                "geoPointValue",
                .object([("latitude", Self.json(point.latitude)), ("longitude", Self.json(point.longitude))])
            )
        case .array(let elements): member("arrayValue", Self.json(elements))
        case .vector(let elements): member("mapValue", Self.json(vector: elements))
        case .map(let fields): member("mapValue", .object([("fields", Self.json(of: fields))]))
        }
    }

    private func member(_ name: String, _ value: JSONText) -> JSONText { .object([(name, value)]) }

    /// Numbers that JSON does not have are texts, as in protocol buffers.
    private static func json(_ number: Double) -> JSONText {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "Infinity" : "-Infinity" }
        return .number(number)
    }

    private static func json(_ elements: [Value]) -> JSONText { .object([("values", .array(elements.map(\.json)))]) }

    private static func json(vector elements: [Double]) -> JSONText {
        let fields: [(String, JSONText)] = [
            ("__type__", Value.string("__vector__").json), ("value", Value.array(elements.map { .double($0) }).json),
        ]
        return .object([("fields", .object(fields))])
    }
}
