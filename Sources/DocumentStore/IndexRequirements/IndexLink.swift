// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel
import Foundation

/// The address in Firebase's console that creates an index.
///
/// It carries a `google.firestore.admin.v1.Index` in protobuf's wire format, base64 for URLs without padding: 1 the
/// name, 2 the scope, 3 the fields (recorded from production, 2026-09).
struct IndexLink {
    let database: DatabaseID

    func creating(composite index: IndexDefinition) -> String {
        let name = "\(database.name)/collectionGroups/\(index.collectionGroup)/indexes/_"
        return address("create_composite", name: name, scope: index.scope, fields: index.fields)
    }

    func creating(
        exemption path: FieldPath,
        mode: IndexDefinition.Mode,
        scope: IndexDefinition.Scope,
        of group: String
    ) -> String {
        let name = "\(database.name)/collectionGroups/\(group)/fields/\(path)"
        return address(
            "create_exemption",
            name: name,
            scope: scope,
            fields: [IndexDefinition.Field(path: path, mode: mode)]
        )
    }

    private func address(
        _ action: String,
        name: String,
        scope: IndexDefinition.Scope,
        fields: [IndexDefinition.Field]
    ) -> String {
        var message = WireWriter()
        message.append(Tag.name, text: name)
        message.append(Tag.scope, integer: scope == .collection ? 1 : 2)
        for field in fields {
            message.append(Tag.field) { $0.append(field) }
        }
        let page = database.database == "(default)" ? "indexes" : "databases/\(database.database)/indexes"
        return "https://console.firebase.google.com/v1/r/project/\(database.project)/firestore/\(page)"
            + "?\(action)=\(Data(message.bytes).webSafeBase64)"
    }
}

/// The tags of an index and of its fields.
private enum Tag {
    static let name: UInt64 = 1 << 3 | WireTag.delimited
    static let scope: UInt64 = 2 << 3 | WireTag.varint
    static let field: UInt64 = 3 << 3 | WireTag.delimited

    static let path: UInt64 = 1 << 3 | WireTag.delimited
    static let order: UInt64 = 2 << 3 | WireTag.varint
    static let arrayMode: UInt64 = 3 << 3 | WireTag.varint
}

extension WireWriter {
    /// Appends a `google.firestore.admin.v1.Index.IndexField`.
    fileprivate mutating func append(_ field: IndexDefinition.Field) {
        append(Tag.path, text: "\(field.path)")
        switch field.mode {
        case .ascending: append(Tag.order, integer: 1)
        case .descending: append(Tag.order, integer: 2)
        case .arrayContains: append(Tag.arrayMode, integer: 1)
        case .vector: break  // production names a command instead of a link
        }
    }
}
