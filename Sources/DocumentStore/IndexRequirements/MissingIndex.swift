// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// An index a query needs and no one defined.
package enum MissingIndex: Hashable, Sendable {
    case composite(IndexDefinition, hasSeveralInequalities: Bool)
    case singleField(FieldPath, IndexDefinition.Mode, IndexDefinition.Scope, collectionGroup: String)
    case vector(IndexDefinition)
}

extension MissingIndex {
    /// Production's refusal of a query without its index, followed by what to add to `firestore.indexes.json`.
    package func refusal(in database: DatabaseID) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            text(in: database) + "\nOr add to \"\(configurationKey)\" in firestore.indexes.json: \(configurationEntry)"
        )
    }

    /// Production's words (recorded 2026-09).
    private func text(in database: DatabaseID) -> String {
        switch self {
        case .composite(let index, let hasSeveralInequalities):
            let link = IndexLink(database: database).creating(composite: index)
            let advice = hasSeveralInequalities ? Self.severalInequalities : ""
            return "The query requires an index. You can create it here: \(link)\(advice)"
        case .singleField(let path, let mode, let scope, let group):
            let link = IndexLink(database: database).creating(exemption: path, mode: mode, scope: scope, of: group)
            return """
                The query requires a \(scope.rawValue)_\(mode) index for collection \(group) and field \(path). \
                You can create it here: \(link)
                """
        case .vector(let index):
            return "Missing vector index configuration. Please create the required index with the following gcloud "
                + "command: gcloud firestore indexes composite create --project=\(database.project) "
                + "--collection-group=\(index.collectionGroup) --query-scope=\(index.scope.rawValue) "
                + index.fields.filter { !$0.path.isDocumentID }.map(\.gcloudFlag).joined(separator: " ")
        }
    }

    private static let severalInequalities = """
         .
        The query contains range and inequality filters on multiple fields, please refer to the documentation for index \
        selection best practices: https://cloud.google.com/firestore/docs/query-data/multiple-range-fields.
        """
}

extension IndexDefinition.Field {
    fileprivate var gcloudFlag: String {
        switch mode {
        case .ascending: "--field-config=order=ASCENDING,field-path=\(path)"
        case .descending: "--field-config=order=DESCENDING,field-path=\(path)"
        case .arrayContains: "--field-config=array-config=CONTAINS,field-path=\(path)"
        case .vector(let dimension):
            #"--field-config=vector-config='{"dimension":"\#(dimension)","flat": "{}"}',field-path=\#(path)"#
        }
    }
}

extension MissingIndex {
    /// The list of `firestore.indexes.json` the entry belongs to.
    package var configurationKey: String {
        switch self {
        case .composite, .vector: "indexes"
        case .singleField: "fieldOverrides"
        }
    }

    /// The entry to add there.
    package var configurationEntry: String {
        switch self {
        case .composite(let index, _), .vector(let index): index.configurationEntry
        case .singleField(let path, let mode, let scope, let group):
            FieldOverride(
                collectionGroup: group,
                path: path,
                indexes: FieldOverride.automatic.union([FieldOverride.Index(mode: mode, scope: scope)])
            ).configurationEntry
        }
    }
}

extension FieldOverride {
    /// The entry of `firestore.indexes.json`; those per collection first, in the order in which the Firebase CLI writes them.
    package var configurationEntry: String {
        let list = indexes.map { #"{\#($0.mode.configuration),"queryScope":"\#($0.scope.rawValue)"}"# }
            .sorted { Self.rank($0) < Self.rank($1) }
        return
            #"{"collectionGroup":"\#(collectionGroup.jsonText)","fieldPath":"\#(path?.description.jsonText ?? "*")","#
            + #""indexes":[\#(list.joined(separator: ","))]}"#
    }

    private static func rank(_ entry: String) -> String {
        let isOfGroup = entry.contains("COLLECTION_GROUP")
        return (isOfGroup ? "2" : "1") + (entry.contains("arrayConfig") ? "2" : "1") + entry
    }
}

extension IndexDefinition {
    /// The entry of `firestore.indexes.json`; `__name__` is left out where it goes without saying.
    package var configurationEntry: String {
        let isPlain =
            self
            == IndexDefinition(
                collectionGroup: collectionGroup,
                scope: scope,
                fields: fields.filter { !$0.path.isDocumentID }
            )
        let named = isPlain && fields.count > 1 ? fields.filter { !$0.path.isDocumentID } : fields
        let list = named.map { #"{"fieldPath":"\#($0.path.description.jsonText)",\#($0.mode.configuration)}"# }
        return #"{"collectionGroup":"\#(collectionGroup.jsonText)","queryScope":"\#(scope.rawValue)","fields":["#
            + list.joined(separator: ",") + "]}"
    }
}

extension IndexDefinition.Mode {
    fileprivate var configuration: String {
        switch self {
        case .ascending: #""order":"ASCENDING""#
        case .descending: #""order":"DESCENDING""#
        case .arrayContains: #""arrayConfig":"CONTAINS""#
        case .vector(let dimension): #""vectorConfig":{"dimension":\#(dimension),"flat":{}}"#
        }
    }
}

extension String {
    /// The text as it stands between the quotes of a JSON string: names of collections and fields may have quotes in them.
    fileprivate var jsonText: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case ..<" ": text += #"\u00"# + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
