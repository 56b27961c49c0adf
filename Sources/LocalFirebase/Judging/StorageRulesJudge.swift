// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import NIOConcurrencyHelpers
import ObjectStore
import SecurityRules
import StorageServer
import Wire

/// Judges the calls to Storage's v0 API by Security Rules.
final class StorageRulesJudge: Sendable {
    /// The rules of buckets.
    enum Rules: Sendable {
        /// Of all buckets.
        case same(CompiledRules?)
        /// By their names; in a bucket without rules nothing is allowed.
        case ofBuckets([String: CompiledRules])

        /// Reads the files of a configuration.
        init(_ configuration: EmulatorConfiguration) throws(EmulatorError) {
            guard let files = configuration.rulesFilesOfBuckets else {
                self = .same(try configuration.storageRulesFile?.compiled())
                return
            }
            var rules: [String: CompiledRules] = [:]
            for (bucket, file) in files { rules[bucket] = try file.compiled() }
            self = .ofBuckets(rules)
        }

        /// Whether there is nothing to judge by.
        var areNone: Bool {
            if case .same(nil) = self { true } else { false }
        }
    }

    private let rules: NIOLockedValueBox<Rules>
    private let documents: SQLiteDocumentStore
    private let now: @Sendable () -> Int64

    private let onDebug: @Sendable (String) -> Void

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - rules: The rules in force at first.
    ///   - documents: The documents that they may look at.
    ///   - now: Microseconds since 1970.
    ///   - onDebug: Takes the text of a value that rules show by `debug()`.
    init(
        _ rules: Rules,
        documents: SQLiteDocumentStore,
        now: @escaping @Sendable () -> Int64,
        onDebug: @escaping @Sendable (String) -> Void
    ) {
        self.rules = NIOLockedValueBox(rules)
        (self.documents, self.now, self.onDebug) = (documents, now, onDebug)
    }

    /// Puts rules in force.
    func replace(_ new: Rules) { rules.withLockedValue { $0 = new } }

    /// Puts the rules of one bucket in force, unless all have been given the same since.
    func replace(_ new: CompiledRules, of bucket: String) {
        rules.withLockedValue { rules in
            guard case .ofBuckets(var others) = rules else { return }
            others[bucket] = new
            rules = .ofBuckets(others)
        }
    }

    /// The counts of the rules in force, by bucket; `nil` for those of all.
    var usage: [(bucket: String?, rules: [RuleUsage])] {
        switch rules.withLockedValue(\.self) {
        case .same(let rules): rules.map { [(nil, $0.usage)] } ?? []
        case .ofBuckets(let rules): rules.sorted { $0.key < $1.key }.map { ($0.key, $0.value.usage) }
        }
    }

    /// The texts of the rules in force, by bucket; `nil` for those of all.
    var sources: [(bucket: String?, source: String)] {
        switch rules.withLockedValue(\.self) {
        case .same(let rules): rules.map { [(nil, $0.source)] } ?? []
        case .ofBuckets(let rules): rules.sorted { $0.key < $1.key }.map { ($0.key, $0.value.source) }
        }
    }

    private func rules(of bucket: BucketName) -> CompiledRules? {
        switch rules.withLockedValue(\.self) {
        case .same(let rules): rules
        case .ofBuckets(let rules): rules[bucket.description]
        }
    }
}

extension StorageRulesJudge: StorageJudge {
    func authorize(_ access: StorageAccess, for caller: Caller, noting judgement: inout Judgement) throws {
        guard try verdict(on: access, by: caller, noting: &judgement).isAllowed else { throw StorageRefusal() }
    }

    /// Judges an access; a refusal has its reasons, which production keeps from clients.
    func verdict(on access: StorageAccess, by caller: Caller, noting judgement: inout Judgement) throws -> RulesVerdict
    {
        let time = Timestamp(microseconds: now()).truncatedToMilliseconds
        guard let request = ObjectRequest(access, by: caller, at: time), let rules = rules(of: access.bucket),
            // "You must opt in to use the list method" (firebase.google.com/docs/rules/rules-language, 2026-11).
            request.method != .list || rules.isOfVersionTwo
        else { return .denied("No rules allow it") }
        // Those of the project's `(default)` database, whatever rules they have themselves.
        let bucket = access.bucket
        let database = DatabaseID(project: bucket.projectOfDefault ?? bucket.description)
        let lookedUp = ReadableDocuments(
            Surroundings(store: documents, database: database),
            access: RulesAccess(countMax: RulesAccess.ofStorage, countsKinds: false, reads: RuleReads()),
            onDebug: onDebug
        )
        defer { judgement.ruleReads += lookedUp.readCount }
        let verdict = try rules.judge([request], with: { _ in lookedUp })
        switch verdict {
        case .allowed(let allowance): judgement.rule = allowance.rule
        case .denied(let denial): judgement.note(denial: denial)
        case .failed: break
        }
        return verdict
    }
}
