// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import SessionLog

/// The structured query behind a page, and the reading of its answer.
struct PageRequest {
    let query: FeedQuery
    /// The collection's path; its last segment is the collection's id.
    let collection: String
    let number: Int
    let size: Int
    let cursor: FeedCursor?

    /// The path of the document that holds the collection, with a slash before it; empty for a collection at the root.
    var encodedParent: String {
        collection.split(separator: "/").dropLast().map { "/\(String($0).percentEncoded)" }.joined()
    }

    var body: Data {
        let id = collection.split(separator: "/").last.map(String.init) ?? collection
        var structured: [String: JSONValue] = [
            "from": .array([.object(["collectionId": .string(id)])]),
            "orderBy": .array(orders.map(\.structured)),
            "limit": .integer(Int64(size)),
        ]
        structured["where"] = query.filters.structured
        if case .document(let name, let orderValues) = cursor?.place {
            structured["startAt"] = Self.position(after: name, orderValues)
        } else if number > 0 {
            structured["offset"] = .integer(Int64(number) * Int64(size))
        }
        return Data(JSONValue.object(["structuredQuery": .object(structured)]).encoded)
    }

    /// The orders that Firestore adds to those of a query: of the fields with inequalities, and of the name, which breaks ties,
    /// so that a cursor denotes exactly one place.
    private var orders: [FeedOrder] {
        orderedFields + [FeedOrder(field: "__name__", isDescending: query.orders.last?.isDescending ?? false)]
    }

    private var orderedFields: [FeedOrder] {
        let compared = Set(query.filters.filter(\.comparison.isInequality).map(\.field))
        let implied = compared.subtracting(query.orders.map(\.field)).sorted()
        let isDescending = query.orders.last?.isDescending ?? false
        return query.orders + implied.map { FeedOrder(field: $0, isDescending: isDescending) }
    }

    /// A cursor as Firestore's `startAt`; `before: false` means after.
    private static func position(after name: String, _ orderValues: [JSONValue]) -> JSONValue {
        .object(["values": .array(orderValues + [.object(["referenceValue": .string(name)])]), "before": .bool(false)])
    }

    func page<Item: DocumentItem>(of type: Item.Type, responseBody: Data) throws(FeedError) -> FeedPage<Item> {
        let documents = try Self.documents(in: responseBody)
        var posts: [Item] = []
        var skipped: [SkippedDocument] = []
        for document in documents {
            do { posts.append(try Item(document)) } catch { skipped.append(document.skipped(because: error)) }
        }
        let place = documents.last?.place(in: orderedFields)
        return FeedPage(
            number: number,
            posts: posts,
            skipped: skipped,
            cursor: place.map { FeedCursor(query: query, page: number, size: size, place: $0) }
        )
    }

    /// The documents of the answer's elements; an element may carry only a read time.
    private static func documents(in body: Data) throws(FeedError) -> [FeedDocument] {
        let answer: JSONValue
        do {
            answer = try JSONValue(parsing: Array(body))
        } catch {
            throw .responseUnreadable("runQuery", problem: "the answer is no JSON: \(error)")
        }
        guard let elements = answer.array else {
            throw .responseUnreadable("runQuery", problem: "the answer is no array")
        }
        var documents: [FeedDocument] = []
        for element in elements {
            if let document = element["document"] { documents.append(try FeedDocument(document)) }
        }
        return documents
    }
}

extension FeedDocument {
    /// The place after this document; `nil` for one without the fields that order the list, which no server sends.
    fileprivate func place(in orders: [FeedOrder]) -> FeedCursor.Place? {
        let values = orders.compactMap { value(at: $0.field) }
        return values.count == orders.count ? .document(name: name, orderValues: values) : nil
    }

    /// The value of a field, or of one in maps: the path is as a query has it, `a.b` or `` `a.b`.c ``.
    private func value(at fieldPath: String) -> JSONValue? {
        var value = JSONValue.object(["mapValue": .object(["fields": .object(fields)])])
        for segment in FieldPath.segments(of: fieldPath) {
            guard let field = value["mapValue"]?["fields"]?[segment] else { return nil }
            value = field
        }
        return value
    }
}

extension FeedFilter.Comparison {
    /// Whether documents have to be ordered by the field that is compared.
    fileprivate var isInequality: Bool {
        switch self {
        case .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: true
        case .equal, .arrayContains, .arrayContainsAny, .isIn: false
        }
    }
}

/// The segments of a field's path.
private enum FieldPath {
    static func segments(of path: String) -> [String] {
        var segments = [""]
        var isQuoted = false
        var isEscaped = false
        for character in path {
            switch character {
            case _ where isEscaped:
                segments[segments.count - 1].append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "`": isQuoted.toggle()
            case "." where !isQuoted: segments.append("")
            default: segments[segments.count - 1].append(character)
            }
        }
        return segments
    }
}
