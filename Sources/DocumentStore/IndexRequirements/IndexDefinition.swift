// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// An index as `firestore.indexes.json` and the console describe it.
package struct IndexDefinition: Hashable, Sendable {
    /// Which collections one index covers.
    package enum Scope: String, Sendable {
        case collection = "COLLECTION"
        case collectionGroup = "COLLECTION_GROUP"
    }

    /// How a field is indexed.
    package enum Mode: Hashable, Sendable {
        case ascending
        case descending
        case arrayContains
        case vector(dimension: Int)

        init(_ direction: Query.Direction) {
            self = direction == .ascending ? .ascending : .descending
        }
    }

    /// A field and how it is indexed.
    package struct Field: Hashable, Sendable {
        package let path: FieldPath
        package let mode: Mode
    }

    package let collectionGroup: String
    package let scope: Scope
    /// In order; `__name__` is always there, last unless a vector follows.
    package let fields: [Field]

    /// An index by some fields; `__name__`, where it is not named, follows in the direction of the last one.
    init(collectionGroup: String, scope: Scope, fields: [Field]) {
        self.collectionGroup = collectionGroup
        self.scope = scope
        self.fields = fields.contains(where: \.path.isDocumentID) ? fields : Self.addingName(to: fields)
    }

    private static func addingName(to fields: [Field]) -> [Field] {
        let vectorIndex = fields.firstIndex { if case .vector = $0.mode { true } else { false } } ?? fields.endIndex
        let isDescending = fields[..<vectorIndex].last?.mode == .descending
        var fields = fields
        fields.insert(Field(path: .documentID, mode: isDescending ? .descending : .ascending), at: vectorIndex)
        return fields
    }
}

extension IndexDefinition: CustomStringConvertible {
    /// The form of explanations: `(a ASC, tags CONTAINS, __name__ ASC)`.
    package var description: String {
        "(" + fields.map { "\($0.path) \($0.mode)" }.joined(separator: ", ") + ")"
    }
}

extension IndexDefinition.Mode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ascending: "ASC"
        case .descending: "DESC"
        case .arrayContains: "CONTAINS"
        case .vector(let dimension): "VECTOR<\(dimension)>"
        }
    }
}
