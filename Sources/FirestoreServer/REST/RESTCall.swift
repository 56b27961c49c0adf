// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Wire

/// The call of a REST request; the raw value is the operation's name in usage records.
enum RESTCall: String, CaseIterable {
    case getDocument
    case listDocuments
    case createDocument
    case updateDocument
    case deleteDocument
    case batchGetDocuments
    case batchWrite
    case beginTransaction
    case commit
    case executePipeline
    case listCollectionIDs = "listCollectionIds"
    case partitionQuery
    case rollback
    case runAggregationQuery
    case runQuery
    /// The emulators' own way to empty a database.
    case clearDocuments

    /// The call behind a custom verb such as `:runQuery`.
    ///
    /// - Returns: `nil` for a verb that does not exist on this kind of resource.
    init?(verb: Substring, isDatabaseRoot: Bool, isDocument: Bool) {
        let isParent = isDatabaseRoot || isDocument
        switch verb {
        case "batchGet" where isDatabaseRoot: self = .batchGetDocuments
        case "batchWrite" where isDatabaseRoot: self = .batchWrite
        case "beginTransaction" where isDatabaseRoot: self = .beginTransaction
        case "commit" where isDatabaseRoot: self = .commit
        case "executePipeline" where isDatabaseRoot: self = .executePipeline
        case "rollback" where isDatabaseRoot: self = .rollback
        case "listCollectionIds" where isParent: self = .listCollectionIDs
        case "partitionQuery" where isParent: self = .partitionQuery
        case "runAggregationQuery" where isParent: self = .runAggregationQuery
        case "runQuery" where isParent: self = .runQuery
        default: return nil
        }
    }

    /// The call behind a method on a document or a collection.
    ///
    /// Production's patterns do not distinguish the two: the call refuses the name of the other (recorded 2026-09,
    /// `DELETE …/documents/err`).
    ///
    /// - Returns: `nil` for a method that does not exist.
    init?(method: String, isDocument: Bool) {
        switch method {
        case "GET": self = isDocument ? .getDocument : .listDocuments
        case "POST": self = .createDocument
        case "PATCH": self = .updateDocument
        case "DELETE": self = .deleteDocument
        default: return nil
        }
    }
}

/// An HTTP request as the REST face sees it: no connection, no library types.
package struct RESTRequest: Sendable {
    /// The method as written on the request line.
    package var method: String
    /// The raw path and query as written on the request line, still percent-encoded.
    package var target: String
    /// The whole body.
    package var body: [UInt8]
    /// The caller that the head names.
    package var caller: Caller
    /// The value of the `x-goog-fieldmask` field, the parameter `fields` as a header.
    package var fieldMask: String?

    /// Creates a request.
    package init(
        method: String,
        target: String,
        body: [UInt8] = [],
        caller: Caller = .anonymous,
        fieldMask: String? = nil
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.caller = caller
        self.fieldMask = fieldMask
    }
}
