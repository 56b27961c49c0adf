// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionLog

/// A document as Firestore's REST interface writes it.
struct FirestoreDocument {
    /// The full resource name.
    let name: String
    let fields: FirestoreFields

    init(_ value: JSONValue) throws(FeedError) {
        guard let name = value["name"]?.string, let separator = name.firstRange(of: "/documents/") else {
            throw .responseUnreadable("runQuery", problem: "a document without a resource name")
        }
        guard case .object(let fields) = value["fields"] ?? .object([:]) else {
            throw .responseUnreadable("runQuery", problem: "a document whose fields are no object")
        }
        self.name = name
        self.fields = FirestoreFields(fields, of: String(name[separator.upperBound...]))
    }

    /// The last segment of the name.
    var id: String { String(name.split(separator: "/").last ?? "") }
}
