// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import SessionLog

/// The structured query behind a page, and the reading of its answer.
struct FeedQuery {
    let collection: String
    let sort: FeedSort
    let number: Int
    let size: Int
    let cursor: FeedCursor?
    let filter: FeedFilter?

    var requestBody: Data {
        var query: [String: JSONValue] = [
            "from": .array([.object(["collectionId": .string(collection)])]),
            // The name breaks ties, so that a cursor denotes exactly one place.
            "orderBy": .array([Self.descending(sort.fieldPath), Self.descending("__name__")]),
            "limit": .integer(Int64(size)),
        ]
        if let filter { query["where"] = filter.condition }
        if let cursor {
            query["startAt"] = cursor.position
        } else if number > 0 {
            query["offset"] = .integer(Int64(number) * Int64(size))
        }
        return Data(JSONValue.object(["structuredQuery": .object(query)]).encoded)
    }

    private static func descending(_ fieldPath: String) -> JSONValue {
        .object(["field": .object(["fieldPath": .string(fieldPath)]), "direction": .string("DESCENDING")])
    }

    func page(responseBody: Data) throws(FeedError) -> FeedPage {
        let documents = try Self.documents(in: responseBody)
        var posts: [FeedPost] = []
        for document in documents { posts.append(try FeedPost(document)) }
        var cursor: FeedCursor?
        if let last = documents.last {
            cursor = FeedCursor(
                sort: sort,
                page: number,
                size: size,
                filter: filter,
                orderValue: try last.orderValue(for: sort),
                documentName: last.name
            )
        }
        return FeedPage(sort: sort, number: number, posts: posts, cursor: cursor)
    }

    /// The documents of the answer's elements; an element may carry only a read time.
    private static func documents(in body: Data) throws(FeedError) -> [FirestoreDocument] {
        let answer: JSONValue
        do {
            answer = try JSONValue(parsing: Array(body))
        } catch {
            throw .responseUnreadable("runQuery", problem: "the answer is no JSON: \(error)")
        }
        guard let elements = answer.array else {
            throw .responseUnreadable("runQuery", problem: "the answer is no array")
        }
        var documents: [FirestoreDocument] = []
        for element in elements {
            if let document = element["document"] { documents.append(try FirestoreDocument(document)) }
        }
        return documents
    }
}

extension FeedFilter {
    /// The filter as a structured query has it.
    fileprivate var condition: JSONValue {
        let value: JSONValue
        switch self.value {
        case .string(let text): value = .object(["stringValue": .string(text)])
        case .integer(let number): value = .object(["integerValue": .string(String(number))])
        case .boolean(let flag): value = .object(["booleanValue": .bool(flag)])
        }
        let field = JSONValue.object(["fieldPath": .string(field)])
        return .object(["fieldFilter": .object(["field": field, "op": .string("EQUAL"), "value": value])])
    }
}

extension FeedCursor {
    /// The cursor as Firestore's `startAt`; `before: false` means after.
    var position: JSONValue {
        let value: JSONValue
        switch orderValue {
        case .integer(let number): value = .object(["integerValue": .string(String(number))])
        case .timestamp(let text): value = .object(["timestampValue": .string(text)])
        }
        let name = JSONValue.object(["referenceValue": .string(documentName)])
        return .object(["values": .array([value, name]), "before": .bool(false)])
    }
}

extension FirestoreDocument {
    func orderValue(for sort: FeedSort) throws(FeedError) -> FeedCursor.FieldValue {
        switch sort {
        case .popular: .integer(try fields.integer(sort.fieldPath))
        case .latest: .timestamp(try fields.timestamp(sort.fieldPath).text)
        }
    }
}
