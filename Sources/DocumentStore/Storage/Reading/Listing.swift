// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A valid request for a page, as the query that answers it.
struct Listing: Sendable {
    let database: DatabaseID
    let collection: CollectionPath
    let pageSize: Int
    let mask: DocumentMask?
    let showsMissing: Bool
    /// Asks for one document more than the page has, to know whether there is another page.
    let query: Query

    /// - Throws: `FirestoreError` (invalid argument) for a page size, token or order that is refused.
    init(_ request: ListRequest, in database: DatabaseID) throws {
        guard request.pageSize ?? 0 >= 0 else { throw FirestoreError.negativePageSize }
        guard !request.showsMissing || request.orderBy.isEmpty else { throw FirestoreError.missingInOrder }
        self.database = database
        self.collection = request.collection
        self.mask = request.mask
        self.showsMissing = request.showsMissing
        let wanted = request.pageSize ?? 0
        self.pageSize = wanted == 0 ? ListRequest.pageSizeDefault : min(wanted, ListRequest.pageSizeMax)
        var query = Query(
            parent: request.collection.parent,
            source: Query.Source(collectionID: request.collection.id),
            orderBy: request.orderBy,
            limit: pageSize + 1
        )
        query.orderBy = query.effectiveOrders
        query.startAt = try request.pageToken.flatMap { token in
            token.isEmpty ? nil : try PageToken(parsing: token, count: query.orderBy.count).cursor
        }
        self.query = query
    }

    /// The token for the page after a document.
    func pageToken(after document: Document) throws -> String {
        let candidate = Candidate(document, in: database)
        return PageToken(try query.orderBy.map { try candidate.value(at: $0.fieldPath) ?? .null }).description
    }
}
