// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

extension ReadDocuments.List {
    /// The list that a query is a page of.
    init(_ query: Proto.StructuredQuery, under parent: DocumentPath?) {
        var whole = query
        whole.clearLimit()
        whole.clearStartAt()
        whole.clearEndAt()
        whole.offset = 0
        let place = Array((parent?.segments.joined(separator: "/") ?? "").utf8)
        // A message that was received can be written again.
        let message: [UInt8] = (try? whole.serializedBytes()) ?? []
        self.init(
            key: place + [0] + message,
            limit: query.hasLimit ? Int(query.limit.value) : nil,
            isContinued: query.hasStartAt || query.offset > 0
        )
    }

    /// The list of a collection in the order of names or in another.
    init(_ request: Proto.ListDocumentsRequest, of collection: CollectionPath) {
        self.init(
            key: Array("\(collection.segments.joined(separator: "/")) \(request.orderBy)".utf8),
            limit: request.pageSize > 0 ? Int(request.pageSize) : nil,
            isContinued: !request.pageToken.isEmpty
        )
    }
}
