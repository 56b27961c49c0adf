// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import Foundation
package import JSON
import NIOConcurrencyHelpers
package import SecurityRules
import Wire

/// One request to Firestore, judged by rules of a file over documents that are given.
package struct RulesTrial {
    /// The access that is asked for.
    package enum Access: Sendable {
        /// Reads a document, by its path.
        case get(String)
        /// Lists a collection by its path, where all conditions hold, each such as `public == true`.
        case list(String, conditions: [String])
        /// Makes a document, with its fields.
        case create(String, JSONValue)
        /// Replaces a document, with its fields.
        case update(String, JSONValue)
        /// Deletes a document.
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
    }

    private let database = DatabaseID(project: "demo-rules")
    private let rules: CompiledRules
    private let store: SQLiteDocumentStore

    /// Prepares trials.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - documents: The documents that there are: an object of paths with objects of fields.
    /// - Throws: `EmulatorError` for a document that cannot be.
    package init(_ rules: CompiledRules, documents: JSONValue) throws(EmulatorError) {
        self.rules = rules
        do {
            store = try SQLiteDocumentStore(location: .memory) { Timestamp(microseconds: SystemClock.microseconds()) }
            for (path, fields) in documents.members {
                let path = try DocumentPath(parsing: path)
                _ = try store.commit([.set(path, fields: fields.documentFields)], in: database)
            }
        } catch {
            throw .badTrial(error)
        }
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
        let caller = Caller(authorization: claims.map { "Bearer \(Self.unsignedToken($0))" })
        var (refusal, ruleReads) = (String?.none, 0)
        do {
            try ask(judge, about: access, by: caller, ruleReads: &ruleReads)
        } catch let error as FirestoreError where error.code == .permissionDenied {
            refusal = error.message
        } catch {
            throw .badTrial(error)
        }
        return Outcome(refusal: refusal, rules: rules.usage.filter { $0.counts.evaluations > 0 }, ruleReads: ruleReads)
    }

    private func ask(
        _ judge: RulesJudge,
        about access: Access,
        by caller: Caller,
        ruleReads: inout Int
    ) throws {
        let surroundings = Surroundings(store: store, database: database)
        switch access {
        case .get(let path):
            let path = try DocumentPath(parsing: path)
            let read = DocumentRead(path: path, surroundings: surroundings) {
                try surroundings.document(at: path)
            }
            try judge.authorize([read], for: caller, ruleReads: &ruleReads)
        case .list(let path, let conditions):
            let query = try Query(of: path, where: conditions)
            let read = QueryRead(database: database, query: query, nearest: nil, surroundings: surroundings)
            _ = try judge.authorize(read, for: caller, ruleReads: &ruleReads)
        case .create(let path, let fields):
            try commit(
                .create(try DocumentPath(parsing: path), fields: fields.documentFields),
                judge,
                caller,
                &ruleReads
            )
        case .update(let path, let fields):
            let path = try DocumentPath(parsing: path)
            let write = Write.set(path, fields: fields.documentFields, precondition: .exists(true))
            try commit(write, judge, caller, &ruleReads)
        case .delete(let path): try commit(.delete(try DocumentPath(parsing: path)), judge, caller, &ruleReads)
        }
    }

    /// Has a write judged that is never made.
    private func commit(_ write: Write, _ judge: RulesJudge, _ caller: Caller, _ ruleReads: inout Int) throws {
        let reads = NIOLockedValueBox(0)
        defer { ruleReads += reads.withLockedValue(\.self) }
        do {
            _ = try store.commit(
                [write],
                in: database,
                authorizing: { commit in
                    try reads.withLockedValue { try judge.authorize(commit, for: caller, ruleReads: &$0) }
                    throw Allowed()
                }
            )
        } catch is Allowed {}
    }

    private static func unsignedToken(_ claims: JSONValue) -> String {
        let payload = Data(claims.encoded).base64EncodedString()
        let coded = payload.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "eyJhbGciOiJub25lIn0.\(coded)."
    }
}

extension EmulatorError {
    fileprivate static func badTrial(_ error: any Error) -> Self {
        Self(code: .badData, description: (error as? FirestoreError)?.message ?? "\(error)")
    }
}

/// Ends a commit that rules allow.
private struct Allowed: Error {}

extension JSONValue {
    fileprivate var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    /// The fields of a document that an object stands for.
    fileprivate var documentFields: [String: Value] { members.mapValues(Value.init) }
}

extension Value {
    /// Takes over plain JSON.
    fileprivate init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let isTrue): self = .boolean(isTrue)
        case .integer(let number): self = .integer(number)
        case .number(let digits): self = .double(Double(digits) ?? .nan)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Value.init))
        case .object(let members): self = .map(members.mapValues(Value.init))
        }
    }
}

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
