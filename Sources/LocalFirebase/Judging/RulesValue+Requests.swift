// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import SecurityRules
import Wire

extension RulesValue {
    /// The value of `resource` where a query asks by name for a document that is missing.
    static let missing = RulesValue.failure(.other("Variable read error. Variable: [resource]."))

    static let unknown = RulesValue.failure(.unknown)

    static func names(_ names: [String]?) -> RulesValue {
        names.map { .list($0.map(RulesValue.string)) } ?? .null
    }

    static func document(_ document: Document?, in database: DatabaseID) -> RulesValue {
        document.map { .map(RulesMap($0, in: database)) } ?? .null
    }

    /// The value of `request`; `special` has the fields that not all methods have.
    static func request(
        _ method: RulesMethod,
        _ path: RulesPath?,
        by caller: Caller,
        at time: Timestamp,
        _ special: [String: RulesValue]
    ) -> RulesValue {
        let auth = caller == .anonymous ? nil : UserFields(of: caller, userClaim: Caller.firestoreUserClaim)
        return .map(RulesMap(RequestFields(method, of: path, at: time, auth: auth, special: special)))
    }

    /// The value of `request` for a query.
    static func listing(
        _ read: QueryRead,
        _ path: RulesPath?,
        by caller: Caller,
        at time: Timestamp
    ) -> RulesValue {
        request(.list, path, by: caller, at: time, ["query": query(read.query, in: read.database)])
    }

    /// The value of `request.query`.
    static func query(_ query: Query, in database: DatabaseID) -> RulesValue {
        let parent = query.parent.map { RulesValue.path(RulesPath($0, in: database)) } ?? .null
        let orders = query.orderBy.map { order in
            (order.fieldPath.unquoted, RulesValue.string(order.direction == .ascending ? "ASC" : "DESC"))
        }
        // In the order in which reports show them.
        return .map(ordered: [
            ("distinct", .boolean(false)),
            ("selectOnlyKeys", .boolean(query.projection?.fieldPaths == [.documentID])),
            ("groupBy", .map(RulesMap())),
            ("kind", query.source.collectionID.map(RulesValue.string) ?? .null),
            (query.source.allDescendants ? "ancestor" : "parent", parent),
            ("orderBy", .map(ordered: orders)),
            ("limit", query.limit.map { .integer(Int64($0)) } ?? .null),
            ("offset", .integer(Int64(query.offset))),
            ("allDescendants", .boolean(query.source.allDescendants)),
        ])
    }

    /// A map with the order of its entries; of two with one key the first counts.
    private static func map(ordered entries: [(String, RulesValue)]) -> RulesValue {
        var seen: Set<String> = []
        let keys = entries.map(\.0).filter { seen.insert($0).inserted }
        return .map(RulesMap(Dictionary(entries) { first, _ in first }, order: keys))
    }
}
