// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// A moment for all tests: the clock stands still, commits advance by a microsecond.
package let noon = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_000)

package let demo = DatabaseID(project: "demo")

package func path(_ text: String) throws -> DocumentPath {
    try DocumentPath(parsing: text)
}

package func field(_ text: String) throws -> FieldPath {
    try FieldPath(parsing: text)
}

package func reference(_ text: String, in database: DatabaseID = demo) throws -> Value {
    .reference(DocumentReference(database: database, path: try path(text)))
}

extension Query {
    /// A query over a root collection.
    package init(_ collectionID: String, where filter: Filter? = nil, orderBy: [Ordering] = [], limit: Int? = nil) {
        self.init(source: Source(collectionID: collectionID), filter: filter, orderBy: orderBy, limit: limit)
    }
}

/// The message with which something is refused; `nil` when it is not.
package func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as FirestoreError {
        return "\(error.code.rawValue): \(error.message)"
    } catch {
        return "unexpected \(type(of: error))"
    }
}
