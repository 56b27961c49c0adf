// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
        _ mode: IndexDefinition.Mode,
        _ scope: IndexDefinition.Scope,
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
        var message: [UInt8] = []
        message.appendField(1, Array(name.utf8))
        message.appendField(2, scope == .collection ? 1 : 2)
        for field in fields {
            message.appendField(3, field.encoded)
        }
        let page = database.database == "(default)" ? "indexes" : "databases/\(database.database)/indexes"
        return "https://console.firebase.google.com/v1/r/project/\(database.project)/firestore/\(page)"
            + "?\(action)=\(message.base64URL)"
    }
}

extension IndexDefinition.Field {
    /// A `google.firestore.admin.v1.Index.IndexField`.
    fileprivate var encoded: [UInt8] {
        var message: [UInt8] = []
        message.appendField(1, Array("\(path)".utf8))
        switch mode {
        case .ascending: message.appendField(2, 1)
        case .descending: message.appendField(2, 2)
        case .arrayContains: message.appendField(3, 1)
        case .vector: break  // production names a command instead of a link
        }
        return message
    }
}

extension [UInt8] {
    fileprivate mutating func appendField(_ number: UInt8, _ bytes: [UInt8]) {
        append(number << 3 | 2)
        appendVarint(bytes.count)
        append(contentsOf: bytes)
    }

    fileprivate mutating func appendField(_ number: UInt8, _ value: Int) {
        append(number << 3)
        appendVarint(value)
    }

    private mutating func appendVarint(_ value: Int) {
        var rest = UInt(value)
        while rest > 0x7F {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate var base64URL: String {
        Data(self).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
