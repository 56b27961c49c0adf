// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
package import JSON
import NIOConcurrencyHelpers
package import SecurityRules
import Wire

/// One request to Firestore, judged by rules of a file over documents that are given.
package struct RulesTrial {
    /// The access that is asked for: to documents by their paths, or to objects by their names.
    package enum Access: Sendable {
        /// Reads a document or an object.
        case get(String)
        /// Lists a collection where all conditions hold, each such as `public == true`, or the objects under a prefix.
        case list(String, conditions: [String])
        /// Makes a document with its fields, or an object with its members.
        case create(String, JSONValue)
        /// Replaces a document, or changes the metadata of an object.
        case update(String, JSONValue)
        /// Deletes a document or an object.
        case delete(String)
    }

    /// The verdict, and what led to it.
    package struct Outcome: Sendable {
        /// The reasons of a refusal, as the official emulator words them; `nil` where the access is allowed.
        package let refusal: String?
        /// Each `allow` whose condition was evaluated.
        package let rules: [RuleUsage]
        /// The documents that rules looked at, each of which is billed as a read.
        package let ruleReads: Int

        init(refusal: String?, of rules: CompiledRules, ruleReads: Int) {
            (self.refusal, self.ruleReads) = (refusal, ruleReads)
            self.rules = rules.usage.filter { $0.counts.evaluations > 0 }
        }
    }

    private let rules: CompiledRules
    private let documents: TrialDocuments

    /// Prepares trials.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - documents: The documents that there are: an object of paths with objects of fields.
    /// - Throws: `EmulatorError` for a document that cannot be.
    package init(_ rules: CompiledRules, documents: JSONValue) throws(EmulatorError) {
        self.rules = rules
        self.documents = try TrialDocuments(documents)
    }

    /// Prepares trials over the documents of a store, in which nothing is changed.
    init(_ rules: CompiledRules, in store: SQLiteDocumentStore, of database: DatabaseID) {
        self.rules = rules
        documents = TrialDocuments(store: store, database: database)
    }

    /// Judges an access.
    ///
    /// - Parameters:
    ///   - access: The access.
    ///   - claims: The claims of the caller's token, with `sub` for the user; `nil` for a caller without one.
    /// - Returns: The verdict.
    /// - Throws: `EmulatorError` for an access that Firestore refuses whatever the rules are.
    package func outcome(of access: Access, by claims: JSONValue?) throws(EmulatorError) -> Outcome {
        let judge = RulesJudge(rules, now: SystemClock.microseconds)
        let caller = Caller(claims: claims)
        var (refusal, judgement) = (String?.none, Judgement())
        do {
            try ask(judge, about: access, by: caller, noting: &judgement)
        } catch let error as FirestoreError where error.code == .permissionDenied || error == .failingRules {
            refusal = error.message
        } catch {
            throw .badTrial(error)
        }
        return Outcome(refusal: refusal, of: rules, ruleReads: judgement.ruleReads)
    }

    private func ask(
        _ judge: RulesJudge,
        about access: Access,
        by caller: Caller,
        noting judgement: inout Judgement
    ) throws {
        let surroundings = documents.surroundings
        switch access {
        case .get(let path):
            let path = try DocumentPath(parsing: path)
            let read = DocumentRead(path: path, surroundings: surroundings) {
                try surroundings.document(at: path)
            }
            try judge.authorize([read], for: caller, noting: &judgement)
        case .list(let path, let conditions):
            let query = try Query(of: path, where: conditions)
            let read = QueryRead(
                database: documents.database,
                query: query,
                nearest: nil,
                surroundings: surroundings
            )
            _ = try judge.authorize(read, for: caller, noting: &judgement)
        case .create(let path, let fields):
            try commit(
                .create(try DocumentPath(parsing: path), fields: fields.documentFields),
                judge,
                caller,
                &judgement
            )
        case .update(let path, let fields):
            let path = try DocumentPath(parsing: path)
            let write = Write.set(path, fields: fields.documentFields, precondition: .exists(true))
            try commit(write, judge, caller, &judgement)
        case .delete(let path): try commit(.delete(try DocumentPath(parsing: path)), judge, caller, &judgement)
        }
    }

    /// Has a write judged that is never made.
    private func commit(_ write: Write, _ judge: RulesJudge, _ caller: Caller, _ judgement: inout Judgement) throws {
        let noted = NIOLockedValueBox(judgement)
        defer { judgement = noted.withLockedValue(\.self) }
        do {
            _ = try documents.store.commit(
                [write],
                in: documents.database,
                authorizing: CommitAuthorization { commit in
                    try noted.withLockedValue { try judge.authorize(commit, for: caller, noting: &$0) }
                    throw Allowed()
                }
            )
        } catch is Allowed {}
    }
}

/// Ends a commit that rules allow.
private struct Allowed: Error {}

extension Query {
    /// Reads a list of a collection where all conditions hold.
    fileprivate init(of path: String, where conditions: [String]) throws {
        let collection = try CollectionPath(parsing: path)
        let filters = try conditions.map(Filter.init)
        self.init(
            parent: collection.parent,
            source: Source(collectionID: collection.id),
            filter: filters.count > 1 ? .and(filters) : filters.first
        )
    }
}

extension Filter {
    private static let operators: [Substring: FieldOperator] = [
        "==": .equal, "!=": .notEqual, "<": .lessThan, "<=": .lessThanOrEqual, ">": .greaterThan,
        ">=": .greaterThanOrEqual, "in": .in, "not-in": .notIn, "array-contains": .arrayContains,
        "array-contains-any": .arrayContainsAny,
    ]

    /// Reads a field, an operator as the Firebase SDKs write it, and a value in JSON, with spaces between.
    fileprivate init(_ condition: String) throws {
        let words = condition.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let operation = Self.operators[words[1]],
            let value = try? JSONValue(parsing: Array(words[2].utf8))
        else { throw FirestoreError(.invalidArgument, "'\(condition)' is not a condition such as: public == true") }
        self = .field(try FieldPath(parsing: String(words[0])), operation, Value(value))
    }
}
