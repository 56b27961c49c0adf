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
        var isObserved: Bool { feed != nil || coverage?.isFull == false }
    }

    private struct State {
        /// Those of the project that was asked for last.
        var last: (project: String, rules: RulesInForce?)?
        var ofProjects: [String: RulesInForce] = [:]
        var common: RulesInForce?
        /// The common rules with the records of the projects that they have judged.
        var commonOfProjects: [String: RulesInForce] = [:]
    }

    /// Projects with records of the common rules; calls may name any number of projects.
    private static let commonProjectCountMax = 100

    private let state: NIOLockedValueBox<State>
    private let recordsCoverage: Bool
    /// Shows how requests are judged, if they are to be shown.
    let feed: RulesFeed?
    /// The rules of projects without rules, which only a feed needs.
    private let open: CompiledRules?
    private let now: @Sendable () -> Int64
    /// Takes a rule that lets users list more than it says, the first time that it does.
    private let onCredulousRule: @Sendable (RuleUsage) -> Void
    /// Takes the text of a value that rules show by `debug()`.
    private let onDebug: @Sendable (String) -> Void

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - common: The rules of projects that have none of their own; `nil` allows everything.
    ///   - recordsCoverage: Whether the values of the rules' expressions are recorded.
    ///   - feed: Shows how requests are judged.
    ///   - now: Microseconds since 1970.
    ///   - onDebug: Takes the text of a value that rules show by `debug()`.
    ///   - onCredulousRule: Takes a rule that lets users list more than it says, the first time that it does.
    init(
        _ common: CompiledRules? = nil,
        recordsCoverage: Bool = false,
        feed: RulesFeed? = nil,
        now: @escaping @Sendable () -> Int64,
        onDebug: @escaping @Sendable (String) -> Void = { _ in },
        onCredulousRule: @escaping @Sendable (RuleUsage) -> Void = { _ in }
    ) {
        state = NIOLockedValueBox(State(common: common.map { RulesInForce($0) }))
        self.recordsCoverage = recordsCoverage
        self.feed = feed
        open = feed.flatMap { _ in try? CompiledRules(RulesSource.open.content, service: FirestoreRules.service) }
        (self.now, self.onDebug, self.onCredulousRule) = (now, onDebug, onCredulousRule)
    }

    /// The counts of the rules in force, by project; `nil` for those of all others.
    var usage: [(project: String?, rules: [RuleUsage])] {
        let state = state.withLockedValue(\.self)
        let own = state.ofProjects.sorted { $0.key < $1.key }
        return own.map { ($0.key, $0.value.rules.usage) } + (state.common.map { [(nil, $0.rules.usage)] } ?? [])
    }

    /// The rules of a project; `nil` where everything is allowed.
    func rules(of project: String) -> RulesInForce? {
        state.withLockedValue { state in
            if let last = state.last, last.project == project { return last.rules }
            let found = find(project, in: &state)
            state.last = (project, found)
            return found
        }
    }

    private func find(_ project: String, in state: inout State) -> RulesInForce? {
        if let own = state.ofProjects[project] ?? state.commonOfProjects[project] { return own }
        guard let common = state.common, feed != nil || recordsCoverage else { return state.common }
        let hasRoom = state.commonOfProjects.count < Self.commonProjectCountMax
        let own = RulesInForce(
            common.rules,
            of: common.files,
            isRecorded: recordsCoverage && hasRoom,
            shownBy: feed?.project(project)
        )
        if hasRoom { state.commonOfProjects[project] = own }
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
    func replaceCommon(_ new: CompiledRules) {
        state.withLockedValue { state in
            state.common = RulesInForce(new)
            state.commonOfProjects = [:]
            state.last = nil
        }
    }

    /// The rules by which a project's requests are judged; `nil` where there is nothing to judge and nothing to show.
    private func judging(_ project: String) -> RulesInForce? {
        if let inForce = rules(of: project) { return inForce }
        guard let feed, let open else { return nil }
        return RulesInForce(open, of: [.open], shownBy: feed.project(project))
    }

    private func check(
        _ parts: [any RulesRequest],
        by inForce: RulesInForce,
        with documents: (Int) -> any RulesDocuments
    ) throws -> RulesAllowance {
        switch try inForce.rules.judge(parts, recordedIn: inForce.coverage, shownBy: inForce.feed, with: documents) {
        case .allowed(let allowance):
            for rule in allowance.credulous { onCredulousRule(rule) }
            return allowance
        case .denied(let denial): throw FirestoreError(.permissionDenied, denial)
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
    func authorize(_ reads: [DocumentRead], for caller: Caller, ruleReads: inout Int) throws {
        guard !reads.isEmpty, let rules = judging(reads[0].database.project) else { return }
        guard reads.count == 1 else {
            _ = try check(reads, by: rules, for: caller, &ruleReads)
            return
        }
        let (path, database, fields) = (reads[0].path, reads[0].database, try reads[0].document()?.encodedFields)
        if let allowance = rules.allowedReads.allowance(of: path, in: database, fields, for: caller) {
            return rules.rules.count(again: allowance)
        }
        let allowance = try check(reads, by: rules, for: caller, &ruleReads)
        guard !rules.isObserved else { return }
        rules.allowedReads.keep(allowance, of: path, in: database, fields, for: caller)
    }

    private func check(
        _ reads: [DocumentRead],
        by rules: RulesInForce,
        for caller: Caller,
        _ ruleReads: inout Int
    ) throws -> RulesAllowance {
        // Mostly rules look at no others.
        var others: RuleReads?
        var documents: [Int: ReadableDocuments] = [:]
        defer { ruleReads += others?.count ?? 0 }
        let time = time
        return try check(reads.map { DocumentGet($0, by: caller, at: time) }, by: rules) { number in
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

    func authorize(_ read: QueryRead, for caller: Caller, ruleReads: inout Int) throws -> VerdictTerm {
        guard let rules = judging(read.database.project) else { return .lasting }
        // A query that is refused anyway is refused for what is wrong with it.
        try read.query.validate(in: read.database)
        let others = RuleReads()
        defer { ruleReads += others.count }
        let documents = ReadableDocuments(
            read.surroundings,
            access: RulesAccess(countMax: RulesAccess.query, reads: others),
            onDebug: onDebug
        )
        let parts = try parts(of: read, by: caller)
        let isLasting = try check(parts, by: rules) { _ in documents }.isLasting
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

    func authorize(_ commit: ProposedCommit, for caller: Caller, ruleReads: inout Int) throws {
        guard let rules = judging(commit.database.project) else { return }
        let others = RuleReads(besides: commit.documents.lazy.map(\.path))
        defer { ruleReads += others.count }
        let total = RulesAccess(countMax: RulesAccess.multiple, reads: others)
        let parts: [any RulesRequest] = commit.documents.map { change in
            if let write = DocumentWrite(change, of: commit, by: caller) { return write }
            return DocumentGet(change, of: commit, by: caller)
        }
        let deleted = Set(commit.writes.filter { $0.operation == .delete }.map(\.path))
            .subtracting(commit.documents.filter { $0.after != nil }.map(\.path))
        let documents = parts.map { _ in CommitDocuments(commit, deleting: deleted, total: total, onDebug: onDebug) }
        _ = try check(parts, by: rules) { documents[$0] }
    }

    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws {
        guard rules(of: database.project) != nil else { return }
        switch call {
        case .listCollectionIDs, .partitionQuery:
            throw FirestoreError(.permissionDenied, "Metadata operations require admin authentication.")
        case .batchWrite: throw FirestoreError(.permissionDenied, "Batch writes require admin authentication.")
        }
    }
}
