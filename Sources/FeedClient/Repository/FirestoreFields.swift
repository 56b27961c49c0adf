// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionLog

/// Reads typed values out of a document or of a map in it; errors name the document and the field.
struct FirestoreFields {
    /// The document's path, such as `posts/p012`.
    let document: String
    private let prefix: String
    private let fields: [String: JSONValue]

    init(_ fields: [String: JSONValue], of document: String, prefix: String = "") {
        self.fields = fields
        self.document = document
        self.prefix = prefix
    }

    init(of document: FeedDocument) { self.init(document.fields, of: document.path) }

    func string(_ field: String) throws(FeedError) -> String {
        guard let text = value(field, type: "stringValue")?.string else { throw expected("stringValue", field: field) }
        return text
    }

    /// `nil` for an absent field.
    func optionalString(_ field: String) throws(FeedError) -> String? {
        fields[field] == nil ? nil : try string(field)
    }

    /// An integer, which REST writes as text; a bare number is taken too.
    func integer(_ field: String) throws(FeedError) -> Int64 {
        let value = value(field, type: "integerValue")
        guard let number = value?.integer ?? value?.string.flatMap({ Int64($0) }) else {
            throw expected("integerValue", field: field)
        }
        return number
    }

    /// `nil` for an absent field.
    func optionalInteger(_ field: String) throws(FeedError) -> Int64? {
        fields[field] == nil ? nil : try integer(field)
    }

    /// An integer that is not negative and fits the machine.
    func count(_ field: String) throws(FeedError) -> Int {
        guard let count = Int(exactly: try integer(field)), count >= 0 else {
            throw problem(field, problem: "expected a number that is not negative")
        }
        return count
    }

    /// `nil` for an absent field.
    func optionalCount(_ field: String) throws(FeedError) -> Int? {
        fields[field] == nil ? nil : try count(field)
    }

    func timestamp(_ field: String) throws(FeedError) -> LogTime {
        guard let text = value(field, type: "timestampValue")?.string else {
            throw expected("timestampValue", field: field)
        }
        guard let timestamp = LogTime(text) else { throw problem(field, problem: "expected an RFC 3339 time") }
        return timestamp
    }

    /// The maps of an array.
    func maps(_ field: String) throws(FeedError) -> [FirestoreFields] {
        guard case .object(let array)? = value(field, type: "arrayValue") else {
            throw expected("arrayValue", field: field)
        }
        var maps: [FirestoreFields] = []
        // An empty array is written without "values", an empty map without "fields".
        for (index, element) in (array["values"]?.array ?? []).enumerated() {
            guard case .object(let map)? = element["mapValue"],
                case .object(let fields) = map["fields"] ?? .object([:])
            else { throw expected("mapValue", field: "\(field)[\(index)]") }
            maps.append(FirestoreFields(fields, of: document, prefix: "\(prefix)\(field)[\(index)]."))
        }
        return maps
    }

    func problem(_ field: String, problem: String) -> FeedError {
        .documentInvalid(document, field: prefix + field, problem: problem)
    }

    private func expected(_ type: String, field: String) -> FeedError { problem(field, problem: "expected \(type)") }

    private func value(_ field: String, type: String) -> JSONValue? { fields[field]?[type] }
}
