// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

extension AnswerForm {
    /// Reads the form from a query; answers are compact unless the client asks otherwise.
    ///
    /// - Throws: `CallError` (invalid argument) for a form that is not served.
    init(_ parameters: QueryParameters) throws {
        do {
            try self.init(isIndented: false) { parameters.system[$0] }
        } catch {
            throw CallError.invalid(error.message)
        }
        let format = AlternativeFormat(parameters.system[.alt])
        guard format.name == "json" else { throw CallError.formatUnserved }
    }

    /// Takes the selection of a call's answer.
    ///
    /// Paths may have slashes or dots, and either spelling of a field's name; the answer has the JSON's.
    ///
    /// - Throws: `CallError` (invalid argument) for a path that the answer does not have.
    mutating func select(_ parameter: String?, of call: RESTCall) throws {
        guard let parameter, !parameter.isEmpty else { return }
        do {
            let selector = try FieldSelector(parameter, separators: ["/", "."])
            let schema = MessageSchema.named(call.answerName)
            fields = try schema?.expand(selector, at: []) ?? selector
        } catch let error as UnknownPath {
            throw CallError.fieldsUnmatched(parameter, path: error.path)
        } catch is FieldSelectionError {
            throw CallError.fieldsMalformed
        }
    }
}

/// A path of a selection that the answer does not have.
private struct UnknownPath: Error {
    let path: String
}

extension MessageSchema {
    /// The selection by the names of the JSON.
    fileprivate func expand(_ selector: FieldSelector, at path: [String]) throws -> FieldSelector {
        guard let members = selector.members else { return selector }
        var expanded = FieldSelector.nothing
        // In order, so that the same selection is always refused for the same path.
        for (name, wanted) in members.sorted(by: { $0.key < $1.key }) {
            let inner = path + [name]
            guard name != "*" else {
                expanded.add(name, wanted)
                continue
            }
            guard let field = field(named: name) else { throw UnknownPath(path: inner.joined(separator: ".")) }
            expanded.add(field.jsonName, try field.kind.expand(wanted, at: inner))
        }
        return expanded
    }
}

extension MessageSchema.Kind {
    fileprivate func expand(_ selector: FieldSelector, at path: [String]) throws -> FieldSelector {
        switch self {
        case .message(let name): return try MessageSchema.named(name)?.expand(selector, at: path) ?? selector
        case .list(let kind): return try kind.expand(selector, at: path)
        case .map(let kind):
            guard let members = selector.members else { return selector }
            var expanded = FieldSelector.nothing
            for (key, wanted) in members.sorted(by: { $0.key < $1.key }) {
                expanded.add(key, try kind.expand(wanted, at: path + [key]))
            }
            return expanded
        case .scalar, .wrapped, .enumeration:
            guard let name = selector.members?.keys.min() else { return selector }
            throw UnknownPath(path: (path + [name]).joined(separator: "."))
        }
    }
}

extension QueryParameters {
    /// The token of the query, as the header `Authorization` would have it.
    var bearer: String? { system[.credential].map { "Bearer \($0)" } }
}

extension RESTCall {
    /// The full name of the message that answers, or of each where the answer is a list.
    fileprivate var answerName: String {
        switch self {
        case .getDocument, .createDocument, .updateDocument: "google.firestore.v1.Document"
        case .listDocuments: "google.firestore.v1.ListDocumentsResponse"
        case .batchGetDocuments: "google.firestore.v1.BatchGetDocumentsResponse"
        case .batchWrite: "google.firestore.v1.BatchWriteResponse"
        case .beginTransaction: "google.firestore.v1.BeginTransactionResponse"
        case .commit: "google.firestore.v1.CommitResponse"
        case .listCollectionIDs: "google.firestore.v1.ListCollectionIdsResponse"
        case .partitionQuery: "google.firestore.v1.PartitionQueryResponse"
        case .runAggregationQuery: "google.firestore.v1.RunAggregationQueryResponse"
        case .runQuery: "google.firestore.v1.RunQueryResponse"
        case .clearDocuments, .deleteDocument, .executePipeline, .rollback: "google.protobuf.Empty"
        }
    }
}
