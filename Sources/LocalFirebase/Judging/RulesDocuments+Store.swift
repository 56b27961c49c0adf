// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import SecurityRules

/// The documents that rules have read for a request, besides those that it is about: each is billed once.
final class RuleReads {
    private let own: Set<DocumentPath>
    private var seen: Set<DocumentPath> = []

    /// Counts the reads of a request.
    init(besides own: some Sequence<DocumentPath> = []) { self.own = Set(own) }

    var count: Int { seen.count }

    func add(_ path: DocumentPath) { if !own.contains(path) { seen.insert(path) } }
}

/// The looks that rules have taken at documents for a request.
final class RulesAccess {
    /// Of the rules for one document that is read or written.
    static let single = 10
    /// Of those for a query.
    ///
    /// Documented as 10; the official emulator 1.19.9 allows this (2026-11).
    static let query = 20
    /// Of those for all writes of a commit.
    static let multiple = 20
    /// Of those of Storage for one request: production refuses the third document.
    ///
    /// (firebase.google.com/docs/storage/security/rules-conditions#enhance_with_firestore, 2026-11.)
    static let ofStorage = 2

    private struct Key: Hashable {
        let path: DocumentPath
        let isAfter: Bool
        let isWhole: Bool
    }

    private var seen: Set<Key> = []
    private let countMax: Int
    /// Whether `get` and `exists` of a document are two accesses.
    private let countsKinds: Bool
    /// Counts the same for more than one document.
    private let total: RulesAccess?
    let reads: RuleReads

    init(countMax: Int, countsKinds: Bool = true, total: RulesAccess? = nil, reads: RuleReads) {
        (self.countMax, self.countsKinds) = (countMax, countsKinds)
        (self.total, self.reads) = (total, reads)
    }

    /// Counts an access and returns whether it is allowed; an access that is repeated counts once.
    func admits(_ path: DocumentPath, isAfter: Bool, isWhole: Bool) -> Bool {
        seen.insert(Key(path: path, isAfter: isAfter, isWhole: isWhole || !countsKinds))
        guard seen.count <= countMax, total?.admits(path, isAfter: isAfter, isWhole: isWhole) ?? true else {
            return false
        }
        reads.add(path)
        return true
    }
}

/// The documents beside those that are read, or beside an object.
struct ReadableDocuments: RulesDocuments {
    private let surroundings: Surroundings
    /// The document that is asked for; `nil` for a query.
    private let own: DocumentPath?
    private let onDebug: @Sendable (String) -> Void
    private let access: RulesAccess

    init(
        besides own: DocumentPath? = nil,
        _ surroundings: Surroundings,
        access: RulesAccess,
        onDebug: @escaping @Sendable (String) -> Void
    ) {
        (self.surroundings, self.access) = (surroundings, access)
        (self.own, self.onDebug) = (own, onDebug)
    }

    private var database: DatabaseID { surroundings.database }

    var readCount: Int { access.reads.count }

    func mayBeDocument(_ path: RulesPath) -> Bool { path.document(in: database) != nil }

    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument {
        guard let name = path.document(in: database), access.admits(name, isAfter: isAfter, isWhole: isWhole) else {
            return .refused
        }
        let document = RulesDocument(in: database) { try surroundings.document(at: name) }
        // The one that is asked for is `resource`, which is null where there is none.
        if name == own, case .missing = document { return .deleted }
        return document
    }

    func debug(_ value: RulesValue) { onDebug(value.protoText) }
}

/// The documents beside those that a commit writes.
struct CommitDocuments: RulesDocuments {
    private let onDebug: @Sendable (String) -> Void
    private let commit: ProposedCommit
    private let deleted: Set<DocumentPath>
    private let access: RulesAccess

    init(
        _ commit: ProposedCommit,
        deleting deleted: Set<DocumentPath>,
        total: RulesAccess,
        onDebug: @escaping @Sendable (String) -> Void
    ) {
        (self.commit, self.deleted, self.onDebug) = (commit, deleted, onDebug)
        access = RulesAccess(countMax: RulesAccess.single, total: total, reads: total.reads)
    }

    var readCount: Int { access.reads.count }

    func mayBeDocument(_ path: RulesPath) -> Bool { path.document(in: commit.database) != nil }

    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument {
        guard let name = path.document(in: commit.database),
            access.admits(name, isAfter: isAfter, isWhole: isWhole)
        else { return .refused }
        if isAfter, deleted.contains(name) { return .deleted }
        return RulesDocument(in: commit.database) {
            isAfter ? try commit.documentAfter(at: name) : try commit.documentBefore(at: name)
        }
    }

    func debug(_ value: RulesValue) { onDebug(value.protoText) }
}

extension RulesDocument {
    /// The answer that a store gives.
    init(in database: DatabaseID, _ read: () throws -> Document?) {
        do {
            self = try read().map { .found(RulesMap($0, in: database)) } ?? .missing
        } catch {
            self = .refused
        }
    }
}
