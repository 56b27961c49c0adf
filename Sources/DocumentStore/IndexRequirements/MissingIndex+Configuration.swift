// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
            #"{"collectionGroup":"\#(group)","fieldPath":"\#(path.jsonText)","indexes":["#
                + #"{"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},"#
                + #"{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"},"#
                + #"{\#(mode.configuration),"queryScope":"\#(scope.rawValue)"}]}"#
        }
    }
}

extension IndexDefinition {
    /// `__name__` is left out where it goes without saying.
    fileprivate var configurationEntry: String {
        let isPlain =
            self
            == IndexDefinition(
                collectionGroup: collectionGroup,
                scope: scope,
                fields: fields.filter { !$0.path.isDocumentID }
            )
        let named = isPlain && fields.count > 1 ? fields.filter { !$0.path.isDocumentID } : fields
        let list = named.map { #"{"fieldPath":"\#($0.path.jsonText)",\#($0.mode.configuration)}"# }
        return #"{"collectionGroup":"\#(collectionGroup)","queryScope":"\#(scope.rawValue)","fields":["#
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

extension FieldPath {
    fileprivate var jsonText: String {
        description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
