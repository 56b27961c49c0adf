// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import JSON
import SessionLog

/// A post that a document of Firestore becomes; an app's own type adopts it.
///
/// ```swift
/// extension Recipe: DocumentItem {
///     init(_ document: FeedDocument) throws {
///         self.init(id: document.id, fields: try document.decoded(as: Fields.self))
///     }
/// }
/// ```
public protocol DocumentItem: FeedItem {
    /// Reads a document; one for which this throws is skipped, and reported with the page.
    init(_ document: FeedDocument) throws
}

/// A document as Firestore's REST interface writes it.
public struct FeedDocument: Sendable {
    /// The full resource name.
    public let name: String
    /// The path, such as `posts/p012`.
    public let path: String
    let fields: [String: JSONValue]

    init(_ value: JSONValue) throws(FeedError) {
        guard let name = value["name"]?.string, let separator = name.firstRange(of: "/documents/") else {
            throw .responseUnreadable("runQuery", problem: "a document without a resource name")
        }
        guard case .object(let fields) = value["fields"] ?? .object([:]) else {
            throw .responseUnreadable("runQuery", problem: "a document whose fields are no object")
        }
        self.name = name
        self.fields = fields
        path = String(name[separator.upperBound...])
    }

    /// The last segment of the name.
    public var id: String { String(name.split(separator: "/").last ?? "") }

    /// Decodes the fields.
    ///
    /// Timestamps are `Date`s, bytes `Data`, references their resource names, geographical points objects of `latitude` and
    /// `longitude`, vectors arrays. Throws ``FeedError/Code/documentInvalid`` with the field that does not fit.
    public func decoded<Fields: Decodable>(as type: Fields.Type) throws(FeedError) -> Fields {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        do {
            return try decoder.decode(type, from: Data(JSONValue.object(fields.mapValues(\.plain)).encoded))
        } catch let error as DecodingError {
            throw .documentInvalid(path, field: error.field, problem: error.problem)
        } catch {
            throw .documentInvalid(path, field: "(all)", problem: "\(error)")
        }
    }

    /// The text of what is wrong with the document, of an error that reading it threw.
    func skipped(because error: any Error) -> SkippedDocument {
        guard let error = error as? FeedError, error.code == .documentInvalid else {
            return SkippedDocument(path: path, problem: "\(error)")
        }
        return SkippedDocument(path: path, problem: String(error.message.dropFirst(path.count + 2)))
    }
}

extension JSONValue {
    /// A value of Firestore as JSON without its type, for a decoder.
    fileprivate var plain: JSONValue {
        guard case .object(let typed) = self, let (type, value) = typed.first else { return .null }
        switch type {
        case "integerValue": return value.string.flatMap { Int64($0) }.map { .integer($0) } ?? value
        case "timestampValue":
            guard let time = value.string.flatMap({ LogTime($0) }) else { return value }
            return .number(String(Double(time.microseconds) / 1_000_000))
        case "arrayValue": return .array((value["values"]?.array ?? []).map(\.plain))
        case "mapValue":
            guard case .object(let fields)? = value["fields"] else { return .object([:]) }
            let isVector = fields["__type__"]?["stringValue"]?.string == "__vector__"
            if isVector, let vector = fields["value"] { return vector.plain }
            return .object(fields.mapValues(\.plain))
        default: return value
        }
    }
}

extension DecodingError {
    fileprivate var field: String {
        var path = context.codingPath
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path.isEmpty ? "(all)" : path.path
    }

    fileprivate var problem: String {
        switch self {
        case .keyNotFound: "the document has no such field"
        case .typeMismatch(let type, _): "expected \(type)"
        case .valueNotFound(let type, _): "expected \(type), is null"
        // The JSON is ours: what JSONDecoder calls no JSON is a number that its type cannot hold, and it does not say which.
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "a number does not fit its type, as 1.5 or 3e9 for a small integer"
        default: context.debugDescription
        }
    }

    private var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
