// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Metering
import NIOConcurrencyHelpers

/// The documents that a call has read, and by which list: what a recorded session has of it besides its usage.
///
/// Grows while the answer is sent.
package final class ReadDocuments: UsageDetail {
    /// A query or a collection as an app shows it, page after page.
    package struct List: Sendable, Hashable {
        /// Equal for queries that differ only in their limit, offset and cursors; the values that they compare with are in it.
        package let key: [UInt8]
        /// The most documents of a page; `nil` without a limit.
        package let limit: Int?
        /// Whether it begins behind a cursor, an offset or a page token.
        package let isContinued: Bool
    }

    /// The documents of a call, and the list that it is a page of.
    package struct Contents: Sendable {
        /// The list; `nil` for documents read by name, and for later changes that a listener hears of.
        package fileprivate(set) var list: List?
        /// In the order in which they were read.
        package fileprivate(set) var documents: [ReadDocument] = []
        /// Names that were asked for and have no document.
        package fileprivate(set) var missingCount = 0
        /// Index entries, or documents, were counted without being read into an answer.
        package fileprivate(set) var isAggregation = false
        /// Whether a listener heard of these as changes of what it had.
        package fileprivate(set) var isChange = false
    }

    /// No screen shows more: of a longer answer, the rest is billed without being described.
    static let documentCountMax = 10_000

    private let state = NIOLockedValueBox(Contents())

    package init() {}

    /// The documents so far.
    package var contents: Contents { state.withLockedValue(\.self) }

    func change(_ change: (inout Contents) -> Void) { state.withLockedValue { change(&$0) } }
}

extension ReadDocuments.Contents {
    /// Adds documents, as far as there is room.
    mutating func append(_ read: some Sequence<Document>, in database: DatabaseID) {
        for document in read.prefix(max(0, ReadDocuments.documentCountMax - documents.count)) {
            documents.append(ReadDocument(document, in: database))
        }
    }

    /// Adds the documents that were found by their names, and counts the others.
    mutating func append(_ entries: [LookupResult.Entry], in database: DatabaseID) {
        append(entries.lazy.compactMap(\.document), in: database)
        missingCount += entries.count { $0.document == nil }
    }

    mutating func append(_ result: LookupResult, in database: DatabaseID) { append(result.entries, in: database) }

    mutating func listed(_ list: ReadDocuments.List) { self.list = list }

    mutating func aggregated() { isAggregation = true }

    mutating func changed() { isChange = true }
}

extension ReadDocuments: Equatable {
    package static func == (left: ReadDocuments, right: ReadDocuments) -> Bool { left === right }
}

/// One version of a document, without its contents.
package struct ReadDocument: Sendable, Hashable {
    /// The name below the database's: `posts/p1`.
    package let path: String
    package let database: String
    /// Microseconds since 1970.
    package let updatedAt: Int64
    /// The size that counts against the limit of a document (firebase.google.com/docs/firestore/storage-size, 2026-11).
    package let byteCount: Int
    /// Texts in its fields that may occur in objects' names or addresses.
    package let mentions: [Mention]

    /// A field's text.
    package struct Mention: Sendable, Hashable {
        /// The field's path, with `[]` for the elements of a list: `images[].path`.
        package let field: String
        package let text: String
    }

    init(_ document: Document, in database: DatabaseID) {
        path = document.path.segments.joined(separator: "/")
        self.database = database.shortName
        updatedAt = document.updateTime.microseconds
        // Damage is reported to the client; here the document has no fields.
        let fields = (try? document.fields) ?? [:]
        byteCount = DocumentSize.byteCount(of: fields, at: document.path)
        var mentions = MentionSearch()
        mentions.search(.map(fields), at: "")
        self.mentions = mentions.found
    }
}

/// Finds the texts of a document that may name objects.
private struct MentionSearch {
    /// Posts have a few images each; a document of thousands of texts is not described by them.
    private static let countMax = 64
    /// Longer than any address of an object, whose name has at most 1,024 bytes.
    private static let textByteCountMax = 4_096

    private(set) var found: [ReadDocument.Mention] = []

    mutating func search(_ value: Value, at field: String) {
        guard found.count < Self.countMax else { return }
        switch value {
        case .string(let text): add(text, at: field)
        case .integer(let number): add(String(number), at: field)
        case .reference(let reference): reference.path.segments.last.map { add($0, at: field) }
        case .array(let elements): for element in elements { search(element, at: field + "[]") }
        case .map(let fields):
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                search(value, at: field.isEmpty ? name : "\(field).\(name)")
            }
        case .null, .boolean, .double, .timestamp, .bytes, .geoPoint, .vector: break
        }
    }

    /// A name has no spaces as a rule, and prose has; a text of one character says nothing.
    private mutating func add(_ text: String, at field: String) {
        guard (2...Self.textByteCountMax).contains(text.utf8.count), !text.utf8.contains(UInt8(ascii: " ")) else {
            return
        }
        found.append(ReadDocument.Mention(field: field, text: text))
    }
}
