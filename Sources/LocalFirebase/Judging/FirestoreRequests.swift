// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import SecurityRules
import Wire

/// The read of a document by name.
final class DocumentGet: RulesRequest {
    private let name: DocumentPath
    private let database: DatabaseID
    private let document: () throws -> Document?
    private let caller: Caller
    private let time: Timestamp

    init(_ read: DocumentRead, by caller: Caller, at time: Timestamp) {
        (name, database, document) = (read.path, read.database, read.document)
        (self.caller, self.time) = (caller, time)
    }

    /// Takes a document that a commit only looks at.
    init(_ change: DocumentChange, of commit: ProposedCommit, by caller: Caller) {
        (name, database, document) = (change.path, commit.database, { change.before })
        (self.caller, time) = (caller, commit.time.truncatedToMilliseconds)
    }

    var method: RulesMethod { .get }

    private var fullPath: RulesPath { RulesPath(name, in: database) }

    var path: [RulesPath.Segment] { fullPath.segments }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        .request(.get, fullPath, by: caller, at: time, [:])
    }

    func resource() throws -> RulesValue { .document(try document(), in: database) }

    func describe(in facts: RequestFacts) throws {
        facts.set(name, in: database, by: caller.firestoreUser, resource: .init(try document()))
    }
}

/// The part of a query that asks for one document by its name.
final class NamedListing: RulesRequest {
    private let read: QueryRead
    private let name: DocumentPath
    private let fullPath: RulesPath
    private let document: Document?
    private let caller: Caller
    private let time: Timestamp

    init(_ read: QueryRead, of name: DocumentPath, _ document: Document?, by caller: Caller, at time: Timestamp) {
        (self.read, self.name, self.document) = (read, name, document)
        fullPath = RulesPath(name, in: read.database)
        (self.caller, self.time) = (caller, time)
    }

    var method: RulesMethod { .list }

    var path: [RulesPath.Segment] { fullPath.segments }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        .listing(read, fullPath, by: caller, at: time)
    }

    func resource() -> RulesValue { document == nil ? .missing : .document(document, in: read.database) }

    func describe(in facts: RequestFacts) {
        // A missing document has no value here.
        let resource = document.map { RequestFacts.Document($0) } ?? .undefined
        facts.set(name, in: read.database, by: caller.firestoreUser, resource: resource)
    }
}

/// The part of a query that finds documents by their fields.
final class FilteredListing: RulesRequest {
    let path: [RulesPath.Segment]
    let constraints: RulesValue?
    private let read: QueryRead
    private let collection: RulesPath
    private let caller: Caller
    private let time: Timestamp

    init(_ read: QueryRead, where disjunct: QueryDisjunct, by caller: Caller, at time: Timestamp) {
        let query = read.query
        let root = ["databases", read.database.database, "documents"] + (query.parent?.segments ?? [])
        let name = query.source.collectionID.map { [$0] } ?? []
        let anywhere: [RulesPath.Segment] = query.source.allDescendants ? [.anywhere] : []
        path =
            root.map(RulesPath.Segment.literal) + anywhere + name.map(RulesPath.Segment.literal) + [.unbound]
        collection = RulesPath(names: root + name)
        (self.read, constraints) = (read, disjunct.resource)
        (self.caller, self.time) = (caller, time)
    }

    var method: RulesMethod { .list }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        // The path of a query of collections anywhere is unknown (official emulator 1.19.9, 2026-11).
        .listing(read, read.query.source.allDescendants ? nil : collection, by: caller, at: time)
    }

    /// All that is known of the documents is what the filters say.
    func resource() -> RulesValue { constraints ?? .null }
}

/// The change of a document by a commit.
///
/// A document whose id the server makes is asked for by its collection: its name is unknown, and `request.resource` has it only once
/// documents are looked at (official emulator 1.19.9, 2026-11).
final class DocumentWrite: RulesRequest {
    let methods: [RulesMethod]
    let method: RulesMethod
    private let fullPath: RulesPath
    private let change: DocumentChange
    private let first: Write
    private let commit: ProposedCommit
    private let caller: Caller

    /// Takes a change; `nil` where the commit only looks at the document.
    init?(_ change: DocumentChange, of commit: ProposedCommit, by caller: Caller) {
        let write = commit.writes.first { $0.path == change.path && $0.operation != .verify }
        guard let first = write else { return nil }
        let named = RulesPath(change.path, in: commit.database)
        fullPath = first.isNamedByServer ? RulesPath(Array(named.segments.dropLast())) : named
        methods =
            switch (change.after, first.precondition) {
            case (nil, _): [.delete]
            case (_, .exists(false)): [.create]
            case (_, .exists(true)), (_, .updateTime): [.update]
            case (_, nil): [.create, .update]
            }
        method = methods.count == 1 ? methods[0] : change.before == nil ? .create : .update
        (self.change, self.first, self.commit, self.caller) = (change, first, commit, caller)
    }

    var path: [RulesPath.Segment] { fullPath.segments + (first.isNamedByServer ? [.unbound] : []) }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        var fields: [String: RulesValue] = [
            "resource": newResource(knowsDocuments: knowsDocuments),
            "readFields": .null,
            "writeFields": .names(first.writtenNames),
            "transforms": .names(first.transformedNames),
        ]
        // A member of every request that creates by its precondition (official emulator 1.19.9, 2026-11).
        if methods == [.create] { fields["autoId"] = .boolean(first.isNamedByServer) }
        return .request(method, fullPath, by: caller, at: commit.time.truncatedToMilliseconds, fields)
    }

    private func newResource(knowsDocuments: Bool) -> RulesValue {
        // A change of some fields cannot be known before the document is.
        guard knowsDocuments || first.writtenNames == nil else { return .unknown }
        guard let document = change.after else { return .null }
        let map = RulesMap(document, in: commit.database)
        return .map(knowsDocuments || !first.isNamedByServer ? map : RulesMap(["data": map["data"] ?? .null]))
    }

    func resource() -> RulesValue { .document(change.before, in: commit.database) }

    func describe(in facts: RequestFacts) {
        guard !first.isNamedByServer else { return }
        facts.set(
            change.path,
            in: commit.database,
            by: caller.firestoreUser,
            resource: .init(change.before),
            newResource: .init(change.after)
        )
    }
}

extension Write {
    /// The fields that its transforms change.
    fileprivate var transformedNames: [String]? {
        updateTransforms.isEmpty ? nil : updateTransforms.map(\.fieldPath.unquoted)
    }

    /// The fields that it names; `nil` where it replaces the whole document.
    fileprivate var writtenNames: [String]? {
        guard case .set(_, let mask?) = operation else { return transformedNames }
        return (transformedNames ?? []) + mask.fieldPaths.map(\.unquoted).sorted()
    }
}
