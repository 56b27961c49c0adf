// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A file of rules, compiled for a service.
package final class CompiledRules: Sendable {
    /// The file as it was given.
    package let source: String
    /// Doubts about it.
    package let warnings: [RulesIssue]
    let plan: RulesPlan
    let quickPlan: QuickPlan
    private let tally: RulesTally
    private let quickJudges = QuickJudges()
    /// The line of each rule, in words.
    private let places: [String]
    /// Whether the file says `rules_version = '2'`.
    package var isOfVersionTwo: Bool { plan.version == .two }

    /// Compiles a file.
    ///
    /// - Parameters:
    ///   - source: Its text.
    ///   - service: The service whose requests it judges, such as `cloud.firestore`.
    /// - Throws: ``RulesError`` for what is not a file of rules.
    package init(_ source: String, service: String) throws(RulesError) {
        self.source = source
        let text = SourceText(source)
        let ruleset = try RulesParser.parse(text)
        let issues = RulesChecker.issues(of: ruleset, in: text)
        guard !issues.contains(where: { $0.severity == .error }) else {
            throw RulesError(issues + WarningFinder.warnings(about: ruleset, of: text))
        }
        let (doubts, plan) = sideBySide {
            WarningFinder.warnings(about: ruleset, of: text)
        } and: {
            RulesPlanner.plan(ruleset, service: service, of: text)
        }
        warnings = (issues + doubts).sorted()
        self.plan = plan
        quickPlan = QuickPlan(plan)
        tally = RulesTally(ruleCount: plan.rules.count)
        places = plan.rules.map { "line \($0.line)" }
    }

    /// What each `allow` did since the file was compiled, in the order of the file.
    package var usage: [RuleUsage] {
        zip(plan.rules, tally.all).map { rule, counts in
            RuleUsage(path: rule.path, methods: rule.methods, line: rule.line, counts: counts)
        }
    }

    /// Judges the parts of a request, all of which must be allowed.
    ///
    /// First without looking at any document, for every method that a part may be; then, where that leaves a part open,
    /// with the documents and the method that it is. A request that is allowed whatever other documents say takes a
    /// quick judgement instead, which a report of coverage repeats in phases.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - coverage: Records what is evaluated.
    ///   - project: Shows the request in a feed.
    ///   - documents: The documents that the rules may look at for a part, by its number.
    /// - Returns: The verdict.
    /// - Throws: The error of a store that could not be read.
    package func judge(
        _ parts: [any RulesRequest],
        recordedIn coverage: RulesCoverage? = nil,
        shownBy project: FedProject? = nil,
        with documents: (Int) -> any RulesDocuments
    ) throws -> RulesVerdict {
        let record = JudgementRecord.begin(of: self, for: coverage, project)
        let quick = quickJudges.take(for: self)
        defer { quickJudges.put(back: quick) }
        for part in parts {
            guard try quick.allows(part) else {
                defer { record?.endPhases() }
                return try judgeInPhases(parts, observedBy: record?.observer, with: documents)
            }
            try record?.add(part)
        }
        let credulous = tally.add(quick.evaluations)
        record?.endAllowed()
        var allowance = RulesAllowance(isLasting: !quick.hasMetTime, rule: place(of: quick.evaluations))
        if !credulous.isEmpty { allowance.credulous = credulous.map { usage[$0] } }
        if allowance.isLasting, parts.count == 1 { allowance.evaluations = quick.evaluations }
        return .allowed(allowance)
    }

    /// The place of the last rule that held.
    private func place(of evaluations: [RuleEvaluation]) -> String? {
        evaluations.last { $0.holds == true }.map { places[$0.rule] }
    }

    /// Counts a request once more that a lasting verdict has allowed.
    package func count(again allowance: RulesAllowance) { _ = tally.add(allowance.evaluations, again: true) }

    /// Judges a request in phases that quick judgements have allowed.
    func repeatPasses(over judged: [JudgedPart], observedBy observer: PassObserver) {
        // The values are there, so that no store is read.
        _ = try? judgeInPhases(judged, observedBy: observer, isRepeated: true) { _ in NoDocuments() }
    }

    /// Judges without quick judgements; a request that `isRepeated` has been judged and counted before.
    private func judgeInPhases(
        _ parts: [any RulesRequest],
        observedBy observer: PassObserver?,
        isRepeated: Bool = false,
        with documents: (Int) -> any RulesDocuments
    ) throws -> RulesVerdict {
        let tally = isRepeated ? nil : tally
        var reasons: [String] = []
        var open: [Int] = []
        for (number, part) in parts.enumerated() {
            switch try judgeWithoutDocuments(part, tally, observer, with: documents(number), &reasons) {
            case .allowed: continue
            case .denied: return .denied(reasons)
            case .failed: return .failed
            case .open: open.append(number)
            }
        }
        // Else the quick judgement would have allowed it.
        var allowance = RulesAllowance(isLasting: false)
        for number in open {
            let part = parts[number]
            var pass = try pass(
                over: part,
                as: part.method,
                documents: documents(number),
                .withDocuments,
                isRecorded: observer?.needsValues == true
            )
            let isAllowed = pass.isAllowed()
            observer?.take(pass)
            allowance.credulous += tally?.add(pass.evaluations).map { usage[$0] } ?? []
            allowance.rule = place(of: pass.evaluations) ?? allowance.rule
            reasons += pass.reasons
            if !isAllowed { return .denied(reasons) }
        }
        return .allowed(allowance)
    }

    private enum FirstVerdict {
        case allowed, denied, open, failed
    }

    private func judgeWithoutDocuments(
        _ request: any RulesRequest,
        _ tally: RulesTally?,
        _ observer: PassObserver?,
        with documents: any RulesDocuments,
        _ reasons: inout [String]
    ) throws -> FirstVerdict {
        var allowedCount = 0
        var isOpen = false
        for method in request.methods {
            var pass = try pass(
                over: request,
                as: method,
                documents: documents,
                .withoutDocuments,
                isRecorded: observer?.needsValues == true
            )
            if pass.isAllowed() {
                allowedCount += 1
            } else {
                isOpen = isOpen || (pass.hasFailed && (request.constraints == nil || pass.hasMetUnknown))
            }
            observer?.take(pass)
            _ = tally?.add(pass.evaluations)
            reasons += pass.reasons
            if pass.isBrokenOff { return .failed }
        }
        if allowedCount == request.methods.count { return .allowed }
        return isOpen || allowedCount > 0 ? .open : .denied
    }

    private func pass(
        over request: any RulesRequest,
        as method: RulesMethod,
        documents: any RulesDocuments,
        _ phase: RulesPhase,
        isRecorded: Bool = false
    ) throws -> RulesPass {
        let knowsDocuments = phase != .withoutDocuments
        var evaluation = Evaluation(
            of: self,
            request: request.request(for: method, knowsDocuments: knowsDocuments),
            resource: try request.constraints ?? (knowsDocuments ? request.resource() : .failure(.unknown)),
            documents: documents,
            phase: phase
        )
        if isRecorded { evaluation.recording = PassRecording() }
        return RulesPass(of: self, method: method, path: request.path, evaluation: evaluation)
    }
}

/// The documents for a request that a quick judgement has allowed: its first phase knows none, and its second looks at none.
private struct NoDocuments: RulesDocuments {
    var readCount: Int { 0 }

    func mayBeDocument(_ path: RulesPath) -> Bool {
        guard let names = path.names, names.count >= 5, !names.count.isMultiple(of: 2) else { return false }
        return !names.contains("") && names[0] == "databases" && names[2] == "documents"
    }

    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument { .refused }

    func debug(_ value: RulesValue) {}
}
