// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The answer to a request for documents, by the numbers that ``LoggedActivity`` gives them.
final class LoggedAnswer: Sendable {
    enum Kind: UInt8, Sendable {
        /// A page of a list.
        case list
        /// Documents read by name.
        case documents
        /// Changes that a listener heard of.
        case changes
        /// Index entries that were counted.
        case counted
        /// Reads that the log does not describe.
        case undescribed
        /// A page of a listing of objects; which of them are on it, the log does not say.
        case objects

        /// Whether an app shows what it brings.
        var isRead: Bool { self == .list || self == .documents || self == .objects }
    }

    /// A version of a document: its number, and the number of times that it was found changed.
    struct Version: Sendable, Hashable {
        let document: Int32
        let revision: Int32
    }

    let kind: Kind
    /// The number of the list, or of the listing; of other kinds `nil`.
    let list: Int?
    /// The number of the query's name.
    let query: Int
    /// Whether the page begins behind another.
    let isContinued: Bool
    let versions: [Version]
    /// Names without a document.
    let missingCount: Int
    /// The bytes of the body.
    let byteCount: Int64
    /// The billed reads.
    let documentReads: Int64
    /// How many of them Security Rules made.
    let ruleReads: Int64

    init(
        _ kind: Kind,
        list: Int? = nil,
        query: Int,
        isContinued: Bool = false,
        versions: [Version] = [],
        missingCount: Int = 0,
        byteCount: Int64,
        documentReads: Int64,
        ruleReads: Int64 = 0
    ) {
        (self.kind, self.list, self.query, self.isContinued) = (kind, list, query, isContinued)
        (self.versions, self.missingCount) = (versions, missingCount)
        (self.byteCount, self.documentReads, self.ruleReads) = (byteCount, documentReads, ruleReads)
    }

    /// The documents, in the order in which they were read.
    var documents: [Int32] { versions.map(\.document) }

    func has(_ document: Int32) -> Bool { versions.contains { $0.document == document } }

    /// The documents that an earlier answer did not have, or had in another version.
    func changes(since earlier: LoggedAnswer) -> Int64 {
        let known = Set(earlier.versions)
        return Int64(versions.count { !known.contains($0) })
    }
}
