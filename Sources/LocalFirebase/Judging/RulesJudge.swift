// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import NIOConcurrencyHelpers
import SecurityRules
import Wire

/// Judges the calls to Firestore by Security Rules.
///
/// Each project may be given rules of its own; the others have those that the emulator began with, or none, which allow everything.
final class RulesJudge: Sendable {
    /// Rules with their record of what they evaluate, if there is one.
    final class RulesInForce: Sendable {
        let rules: CompiledRules
        let files: [RulesSource]
        let coverage: RulesCoverage?
        let feed: FedProject?
        /// Empty as long as every request is observed.
        let allowedReads = AllowedReads()

        init(
            _ rules: CompiledRules,
            of files: [RulesSource]? = nil,
            isRecorded: Bool = false,
            shownBy feed: FedProject? = nil
        ) {
            self.rules = rules
            self.files = files ?? [RulesSource(content: rules.source)]
            coverage = isRecorded ? RulesCoverage(of: rules) : nil
            self.feed = feed
        }

        /// Whether every request is recorded or shown.
        var isObserved: Bool { isShown || coverage?.isFull == false }

        /// Whether every request is shown.
        var isShown: Bool { feed?.isAttended == true }
    }

    private struct State {
        /// Those of the database that was asked for last.
        var last: (database: DatabaseID, rules: RulesInForce?)?
        var ofProjects: [String: RulesInForce] = [:]
        var common: CommonRules
        /// The common rules with the records of the projects or databases that they have judged.
        var commonOfDatabases: [DatabaseID: RulesInForce] = [:]
    }

    /// The rules of projects that have none of their own.
    private struct CommonRules {
        var others: RulesInForce?
        /// Those of databases that have rules apart; `nil` for one that is open.
        var named: [String: RulesInForce?] = [:]

        func ofDatabase(_ name: String) -> RulesInForce? { named[name] ?? others }
    }

    /// Databases with records of the common rules; calls may name any number of projects.
    private static let recordedDatabaseCountMax = 100

    private let state: NIOLockedValueBox<State>
    private let recordsCoverage: Bool
    /// Shows how requests are judged, if they are to be shown.
    let feed: RulesFeed?
    /// The rules of projects without rules, which only a feed needs.
    private static let open = try? CompiledRules(RulesSource.open.content, service: FirestoreRules.service)
    private let now: @Sendable () -> Int64
    /// Takes a rule that lets users list more than it says, the first time that it does.
    private let onCredulousRule: @Sendable (RuleUsage) -> Void
    /// Takes the text of a value that rules show by `debug()`.
    private let onDebug: @Sendable (String) -> Void

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - common: The rules of projects that have none of their own; `nil` allows everything.
    ///   - named: Those of databases that have rules apart, by their names; `nil` for one that is open.
    ///   - recordsCoverage: Whether the values of the rules' expressions are recorded.
    ///   - feed: Shows how requests are judged.
    ///   - now: Microseconds since 1970.
    ///   - onDebug: Takes the text of a value that rules show by `debug()`.
    ///   - onCredulousRule: Takes a rule that lets users list more than it says, the first time that it does.
    init(
        _ common: CompiledRules? = nil,
        ofDatabases named: [String: CompiledRules?] = [:],
        recordsCoverage: Bool = false,
        feed: RulesFeed? = nil,
        now: @escaping @Sendable () -> Int64,
        onDebug: @escaping @Sendable (String) -> Void = { _ in },
        onCredulousRule: @escaping @Sendable (RuleUsage) -> Void = { _ in }
    ) {
        let named = named.mapValues { rules in rules.map { RulesInForce($0) } }
        state = NIOLockedValueBox(State(common: CommonRules(others: common.map { RulesInForce($0) }, named: named)))
        self.recordsCoverage = recordsCoverage
        self.feed = feed
        (self.now, self.onDebug, self.onCredulousRule) = (now, onDebug, onCredulousRule)
    }

    /// The counts of the rules in force, by project or by database; `nil` and `nil` for those of all others.
    var usage: [(project: String?, database: String?, rules: [RuleUsage])] {
        let state = state.withLockedValue(\.self)
        let own = state.ofProjects.sorted { $0.key < $1.key }.map { ($0.key as String?, nil as String?, $0.value) }
        let named = state.common.named.sorted { $0.key < $1.key }.compactMap { name, rules in
            rules.map { (nil as String?, name as String?, $0) }
        }
        let others = [state.common.others].compactMap(\.self).map { (nil as String?, nil as String?, $0) }
        return (own + named + others).map { ($0, $1, $2.rules.usage) }
    }

    /// The files of the rules in force, by project or by database; `nil` and `nil` for those of all others.
    var sources: [(project: String?, database: String?, files: [RulesSource])] {
        let state = state.withLockedValue(\.self)
        let own = state.ofProjects.sorted { $0.key < $1.key }.map {
            ($0.key as String?, nil as String?, $0.value.files)
        }
        let named = state.common.named.sorted { $0.key < $1.key }.compactMap { name, rules in
            rules.map { (nil as String?, name as String?, $0.files) }
        }
        return own + named + [state.common.others].compactMap(\.self).map { (nil, nil, $0.files) }
    }

    /// The rules of a project's database; `nil` where everything is allowed.
    func rules(of database: DatabaseID) -> RulesInForce? {
        state.withLockedValue { state in
            if let last = state.last, last.database == database { return last.rules }
            let found = find(database, in: &state)
            state.last = (database, found)
            return found
        }
    }

    private func find(_ database: DatabaseID, in state: inout State) -> RulesInForce? {
        let project = database.project
        if let own = state.ofProjects[project] { return own }
        let isApart = state.common.named[database.database] != nil
        // Databases without rules apart share one record.
        let key = isApart ? database : DatabaseID(project: project, database: "")
        if let recorded = state.commonOfDatabases[key] { return recorded }
        guard let common = state.common.ofDatabase(database.database), feed != nil || recordsCoverage else {
            return state.common.ofDatabase(database.database)
        }
        let hasRoom = state.commonOfDatabases.count < Self.recordedDatabaseCountMax
        let own = RulesInForce(
            common.rules,
            of: common.files,
            isRecorded: recordsCoverage && hasRoom,
            shownBy: feed?.project(project)
        )
        if hasRoom { state.commonOfDatabases[key] = own }
        return own
    }

    /// Puts rules in force for a project.
    ///
    /// - Parameters:
    ///   - new: The rules of the first file.
    ///   - files: The files that were given.
    ///   - project: The project.
    func replace(_ new: CompiledRules, of files: [RulesSource], of project: String) {
        let inForce = RulesInForce(new, of: files, isRecorded: recordsCoverage, shownBy: feed?.project(project))
        state.withLockedValue { state in
            state.ofProjects[project] = inForce
            state.last = nil
        }
    }

    /// Puts rules in force for the projects that have none of their own.
    ///
    /// - Parameters:
    ///   - new: The rules.
    ///   - database: The database that they are for; `nil` for those that have no rules apart.
    func replaceCommon(_ new: CompiledRules, of database: String? = nil) {
        state.withLockedValue { state in
            if let database {
                state.common.named[database] = RulesInForce(new)
            } else {
                state.common.others = RulesInForce(new)
            }
            state.commonOfDatabases = [:]
            state.last = nil
        }
    }

    /// The rules by which a database's requests are judged; `nil` where there is nothing to judge and nothing to show.
    private func judging(_ database: DatabaseID) -> RulesInForce? {
        if let inForce = rules(of: database) { return inForce }
        guard let feed, feed.isAttended, let open = Self.open else { return nil }
        return RulesInForce(open, of: [.open], shownBy: feed.project(database.project))
    }

    private func check(
        _ parts: [any RulesRequest],
        by inForce: RulesInForce,
        _ judgement: inout Judgement,
        with documents: (Int) -> any RulesDocuments
    ) throws -> RulesAllowance {
        switch try inForce.rules.judge(parts, recordedIn: inForce.coverage, shownBy: inForce.feed, with: documents) {
        case .allowed(let allowance):
            for rule in allowance.credulous { onCredulousRule(rule) }
            judgement.rule = allowance.rule
            return allowance
        case .denied(let denial):
            judgement.note(denial: denial)
            throw FirestoreError(.permissionDenied, denial)
        case .failed: throw FirestoreError.failingRules
        }
    }

    private var time: Timestamp { Timestamp(microseconds: now()).truncatedToMilliseconds }
}

extension FirestoreError {
    /// The official emulator fails with this status, and without a message (1.19.9, 2026-11).
    static let failingRules = FirestoreError(
        .unknown,
        """
        The Security Rules fail: a list or a path in a branch of ?: has no value for a part before its last, or replace() names a group \
        that its pattern has not. docs/rules-language.md says when.
        """
    )
}

extension RulesJudge: FirestoreJudge {
    func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws {
        guard !reads.isEmpty, let rules = judging(reads[0].database) else { return }
        guard reads.count == 1 else {
            _ = try check(reads, by: rules, for: caller, &judgement)
            return
        }
        let (path, database, fields) = (reads[0].path, reads[0].database, try reads[0].document()?.encodedFields)
        if !rules.isShown, let allowance = rules.allowedReads.allowance(of: path, in: database, fields, for: caller) {
            judgement.rule = allowance.rule
            return rules.rules.count(again: allowance)
        }
        let allowance = try check(reads, by: rules, for: caller, &judgement)
        guard !rules.isObserved else { return }
        rules.allowedReads.keep(allowance, of: path, in: database, fields, for: caller)
    }

    private func check(
        _ reads: [DocumentRead],
        by rules: RulesInForce,
        for caller: Caller,
        _ judgement: inout Judgement
    ) throws -> RulesAllowance {
        // Mostly rules look at no others.
        var others: RuleReads?
        var documents: [Int: ReadableDocuments] = [:]
        defer { judgement.ruleReads += others?.count ?? 0 }
        let time = time
        return try check(reads.map { DocumentGet($0, by: caller, at: time) }, by: rules, &judgement) { number in
            if let known = documents[number] { return known }
            let shared = others ?? RuleReads(besides: reads.lazy.map(\.path))
            let new = ReadableDocuments(
                besides: reads[number].path,
                reads[number].surroundings,
                access: RulesAccess(countMax: RulesAccess.single, reads: shared),
                onDebug: onDebug
            )
            others = shared
            documents[number] = new
            return new
        }
    }

    func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm {
        guard let rules = judging(read.database) else { return .lasting }
        // A query that is refused anyway is refused for what is wrong with it.
        try read.query.validate(in: read.database)
        let others = RuleReads()
        defer { judgement.ruleReads += others.count }
        let documents = ReadableDocuments(
            read.surroundings,
            access: RulesAccess(countMax: RulesAccess.query, reads: others),
            onDebug: onDebug
        )
        let parts = try parts(of: read, by: caller)
        let isLasting = try check(parts, by: rules, &judgement) { _ in documents }.isLasting
        // Documents that it asks for by name are judged by what they are.
        return isLasting && parts.allSatisfy { $0.constraints != nil } ? .lasting : .untilNextChange
    }

    /// The parts of a query that are judged one by one.
    private func parts(of read: QueryRead, by caller: Caller) throws -> [any RulesRequest] {
        let time = time
        var parts: [any RulesRequest] = []
        for disjunct in QueryDisjunct.all(of: read.query.filter) {
            if let name = disjunct.document {
                let document = try read.surroundings.document(at: name)
                parts.append(NamedListing(read, of: name, document, by: caller, at: time))
            } else {
                parts.append(FilteredListing(read, where: disjunct, by: caller, at: time))
            }
        }
        return parts
    }

    func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws {
        guard let rules = judging(commit.database) else { return }
        let others = RuleReads(besides: commit.documents.lazy.map(\.path))
        defer { judgement.ruleReads += others.count }
        let total = RulesAccess(countMax: RulesAccess.multiple, reads: others)
        let parts: [any RulesRequest] = commit.documents.map { change in
            if let write = DocumentWrite(change, of: commit, by: caller) { return write }
            return DocumentGet(change, of: commit, by: caller)
        }
        let deleted = Set(commit.writes.filter { $0.operation == .delete }.map(\.path))
            .subtracting(commit.documents.filter { $0.after != nil }.map(\.path))
        let documents = parts.map { _ in CommitDocuments(commit, deleting: deleted, total: total, onDebug: onDebug) }
        _ = try check(parts, by: rules, &judgement) { documents[$0] }
    }

    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws {
        guard rules(of: database) != nil else { return }
        switch call {
        case .listCollectionIDs, .partitionQuery:
            throw FirestoreError(.permissionDenied, "Metadata operations require admin authentication.")
        case .batchWrite: throw FirestoreError(.permissionDenied, "Batch writes require admin authentication.")
        }
    }
}
