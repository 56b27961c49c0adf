// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol

/// The documents that a query read, and its bill.
struct QueryCost {
    let readTime: Timestamp
    let returnedCount: Int
    let skippedCount: Int
    let indexEntriesRead: Int
    let billedReads: Int
    let billedIndexEntries: Int

    /// The cost of a query that has not begun.
    static let nothing = QueryCost()

    private init() {
        readTime = Timestamp(microseconds: 0)
        returnedCount = 0
        skippedCount = 0
        indexEntriesRead = 0
        billedReads = 0
        billedIndexEntries = 0
    }

    init(_ summary: QuerySummary) {
        readTime = summary.readTime
        returnedCount = summary.returnedCount
        skippedCount = summary.skippedCount
        indexEntriesRead = summary.indexEntriesRead
        billedReads = summary.billedReads
        billedIndexEntries = summary.billedIndexEntries
    }

    /// A vector search is billed its results and a read for up to 100 index entries.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    init(_ summary: QuerySummary, nearestCount: Int) {
        readTime = summary.readTime
        returnedCount = nearestCount
        skippedCount = 0
        indexEntriesRead = summary.indexEntriesRead
        billedReads = max(1, nearestCount + (summary.indexEntriesRead + 99) / 100)
        billedIndexEntries = 0
    }
}

/// A query with its values stripped: queries of one shape differ only in what they compare with and how much they ask
/// for, so their costs belong together.
///
/// `users/posts select title where likes > and (tag == or tag ==) order by likes desc, __name__ start after limit`
struct QueryShape {
    /// The collection ids on the way, or the one id of a collection group; `*` for collections of any id.
    let collection: String
    /// The whole shape.
    let text: String

    /// Takes the collection ids on the way to the query's parent, outermost first.
    init(_ query: Proto.StructuredQuery, under parentIDs: [String]) {
        let selector = query.from.first ?? Proto.StructuredQuery.CollectionSelector()
        let isGroup = selector.allDescendants
        let own = selector.collectionID.isEmpty ? "*" : selector.collectionID
        collection = isGroup ? own : (parentIDs + [own]).joined(separator: "/")
        var words = [isGroup ? "group \(own)" : collection]
        words += Self.selection(query)
        words += query.hasWhere ? ["where", Self.text(of: query.where)] : []
        words += Self.order(query)
        words += Self.window(query)
        text = words.joined(separator: " ")
    }

    private static func selection(_ query: Proto.StructuredQuery) -> [String] {
        let fields = query.select.fields.map(\.fieldPath)
        return fields.isEmpty ? [] : ["select", fields.joined(separator: ", ")]
    }

    private static func order(_ query: Proto.StructuredQuery) -> [String] {
        let criteria = query.orderBy.map { $0.field.fieldPath + ($0.direction == .descending ? " desc" : "") }
        return criteria.isEmpty ? [] : ["order by", criteria.joined(separator: ", ")]
    }

    private static func window(_ query: Proto.StructuredQuery) -> [String] {
        var words: [String] = []
        if query.hasFindNearest { words.append("find nearest \(query.findNearest.vectorField.fieldPath)") }
        if query.hasStartAt { words.append(query.startAt.before ? "start at" : "start after") }
        if query.hasEndAt { words.append(query.endAt.before ? "end before" : "end at") }
        if query.hasLimit { words.append("limit") }
        if query.offset != 0 { words.append("offset") }
        return words
    }
}

extension QueryShape {
    /// The condition without its values; a composite within another is in parentheses.
    static func text(of filter: Proto.StructuredQuery.Filter, isNested: Bool = false) -> String {
        switch filter.filterType {
        case .fieldFilter(let field): "\(field.field.fieldPath) \(symbol(field.op))"
        case .unaryFilter(let unary): "\(unary.field.fieldPath) \(symbol(unary.op))"
        case .compositeFilter(let composite): text(of: composite, isNested: isNested)
        case nil: "?"
        }
    }

    private static func text(of composite: Proto.StructuredQuery.CompositeFilter, isNested: Bool) -> String {
        let needsParentheses = isNested && composite.filters.count > 1
        let parts = composite.filters.map { text(of: $0, isNested: composite.filters.count > 1) }
        let joined = parts.joined(separator: composite.op == .or ? " or " : " and ")
        return needsParentheses ? "(\(joined))" : joined
    }

    private static func symbol(_ operation: Proto.StructuredQuery.FieldFilter.Operator) -> String {
        switch operation {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .arrayContains: "array-contains"
        case .in: "in"
        case .arrayContainsAny: "array-contains-any"
        case .notIn: "not-in"
        case .unspecified, .UNRECOGNIZED: "?"
        }
    }

    private static func symbol(_ operation: Proto.StructuredQuery.UnaryFilter.Operator) -> String {
        switch operation {
        case .isNan: "is nan"
        case .isNull: "is null"
        case .isNotNan: "is not nan"
        case .isNotNull: "is not null"
        case .unspecified, .UNRECOGNIZED: "?"
        }
    }
}
