// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Foundation
import Metering
import Wire

extension FirestoreCalls {
    /// Reads one page of a collection; only an administrator may see names of missing documents.
    package func listDocuments(
        _ request: Proto.ListDocumentsRequest,
        in context: CallContext
    ) throws -> Proto.ListDocumentsResponse {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        guard request.pageSize >= 0 else { throw CallError.listPageSizeNegative }
        let collection = try CollectionPath((parent.document?.segments ?? []) + [request.collectionID])
        context.attribute(to: collection)
        context.note { $0.listed(ReadDocuments.List(request, of: collection)) }
        try admitReading()
        guard context.caller.isAdmin || !request.showMissing else { throw CallError.metadataNeedsAdmin }
        let list = try ListRequest(request, of: collection)
        let point = try readPoint(request.consistency, in: parent.database)
        let query = Query(parent: collection.parent, source: Query.Source(collectionID: collection.id))
        let page = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: parent.database,
            locking: .query(query)
        ) { time in
            try context.authorize(list.judged(as: query), of: store, in: parent.database, at: time)
            return try store.list(list, in: parent.database, at: time)
        }
        context.bill(reads: page.billedReads)
        context.note { $0.append(page.entries, in: parent.database) }
        return try Proto.ListDocumentsResponse(page, in: parent.database)
    }

    /// Lists the collections right under a document or the root; billed a read a request.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package func listCollectionIDs(
        _ request: Proto.ListCollectionIDsRequest,
        in context: CallContext
    ) throws -> Proto.ListCollectionIDsResponse {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        if let document = parent.document { context.attribute(to: document.collection) }
        try admitReading()
        try context.authorize(.listCollectionIDs, in: parent.database)
        let point = try readPoint(request.consistency, in: parent.database)
        let size = try CollectionIDPage.size(request.pageSize)
        let after = try CollectionIDPage.lastID(ofToken: request.pageToken)
        // One more than the page shows whether there is a next one.
        let found = try store.collectionIDs(
            under: parent.document,
            in: parent.database,
            after: after,
            limit: size + 1,
            at: point.time
        )
        context.bill(reads: 1)
        return Proto.ListCollectionIDsResponse(found, pageSize: size)
    }
}

extension ListRequest {
    /// The query of the collection as a judge sees it: its limit is the page size (official emulator 1.19.9, 2026-11).
    fileprivate func judged(as query: Query) -> Query {
        var judged = query
        judged.orderBy = orderBy
        let size = pageSize ?? 0
        judged.limit = size == 0 ? Self.pageSizeDefault : min(size, Self.pageSizeMax)
        return judged
    }

    fileprivate init(_ request: Proto.ListDocumentsRequest, of collection: CollectionPath) throws {
        guard !request.showMissing || request.orderBy.isEmpty else { throw CallError.missingInOrder }
        let orderBy = try OrderByText.parse(request.orderBy)
        self.init(
            collection: collection,
            pageSize: Int(request.pageSize),
            pageToken: request.pageToken.isEmpty ? nil : request.pageToken,
            orderBy: orderBy,
            mask: request.hasMask ? try DocumentMask(request.mask) : nil,
            showsMissing: request.showMissing
        )
    }
}

extension Proto.ListDocumentsResponse {
    fileprivate init(_ page: ListPage, in database: DatabaseID) throws {
        self.init()
        documents = try page.entries.map { try Proto.Document($0, in: database) }
        nextPageToken = page.nextPageToken ?? ""
    }
}

extension Proto.Document {
    /// A missing document has nothing but its name.
    fileprivate init(_ entry: LookupResult.Entry, in database: DatabaseID) throws {
        switch entry {
        case .found(let document):
            try self.init(document, in: database)
        case .missing(let path):
            self.init()
            name = DocumentReference(database: database, path: path).name
        }
    }
}

/// The pages of a list of collection ids.
enum CollectionIDPage {
    /// The page size when none is asked for, and the largest one given.
    static let sizeDefault = 100
    static let sizeMax = 1_000

    static func size(_ requested: Int32) throws -> Int {
        guard requested >= 0 else { throw CallError.pageSizeNegative }
        return requested == 0 ? sizeDefault : min(Int(requested), sizeMax)
    }

    /// A token is the last id of its page in base64, after a mark that no id begins with.
    static func token(after lastID: String) -> String {
        Data((mark + lastID).utf8).base64EncodedString()
    }

    /// Returns `nil` for the first page.
    static func lastID(ofToken token: String) throws -> String? {
        if token.isEmpty { return nil }
        guard let bytes = Data(base64Encoded: token), let text = bytes.withUnsafeBytes({ String(validUTF8: $0) }),
            text.utf8.starts(with: mark.utf8)
        else { throw CallError.pageTokenInvalid }
        return String(Substring(text.utf8.dropFirst(mark.utf8.count)))
    }

    private static let mark = "after/"
}

extension Proto.ListCollectionIDsResponse {
    /// Makes a page of what was found, which is up to one id more than the page holds.
    init(_ found: [String], pageSize: Int) {
        self.init()
        collectionIds = Array(found.prefix(pageSize))
        if found.count > pageSize, let lastID = collectionIds.last {
            nextPageToken = CollectionIDPage.token(after: lastID)
        }
    }
}

/// The order of a listing as text: `priority desc, name`.
enum OrderByText {
    /// An empty text is not an order; space is fine everywhere but at the start.
    ///
    /// - Throws: `CallError` (invalid argument) that names the whole text.
    static func parse(_ text: String) throws -> [Query.Ordering] {
        guard let first = text.first else { return [] }
        guard !first.isWhitespace else { throw CallError.orderByInvalid(text) }
        return try split(text, where: { $0 == "," }).map { criterion in
            guard let ordering = ordering(criterion) else { throw CallError.orderByInvalid(text) }
            return ordering
        }
    }

    private static func ordering(_ text: Substring) -> Query.Ordering? {
        let words = split(text, where: \.isWhitespace).filter { !$0.isEmpty }
        guard let name = words.first, words.count <= 2, let fieldPath = try? FieldPath(parsing: String(name)) else {
            return nil
        }
        switch words.dropFirst().first?.lowercased() {
        case nil, "asc": return Query.Ordering(fieldPath)
        case "desc": return Query.Ordering(fieldPath, .descending)
        default: return nil
        }
    }

    /// Splits outside of backticks, within which field names may hold any character.
    private static func split(_ text: some StringProtocol, where isSeparator: (Character) -> Bool) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return Substring(text).split(omittingEmptySubsequences: false) { character in
            if character == "`", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            return !isQuoted && isSeparator(character)
        }
    }
}
