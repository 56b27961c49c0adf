// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Records how one request is judged: for a report of coverage, and for a feed.
final class JudgementRecord {
    private let coverage: RulesCoverage?
    private let rules: CompiledRules
    private let project: FedProject?
    private var parts: [JudgedPart] = []
    private var passes: [JudgedPass] = []

    /// Begins a record.
    ///
    /// - Parameters:
    ///   - rules: The rules that judge it.
    ///   - coverage: Counts the values of their expressions.
    ///   - project: Shows its requests in a feed.
    /// - Returns: The record; `nil` where neither takes the request.
    static func begin(of rules: CompiledRules, for coverage: RulesCoverage?, _ project: FedProject?) -> JudgementRecord?
    {
        let coverage = coverage?.admitsRequest() == true ? coverage : nil
        let project = project?.isAttended == true ? project : nil
        return coverage == nil && project == nil
            ? nil : JudgementRecord(rules: rules, coverage: coverage, project: project)
    }

    private init(rules: CompiledRules, coverage: RulesCoverage?, project: FedProject?) {
        (self.rules, self.coverage, self.project) = (rules, coverage, project)
    }

    /// Keeps a part that a quick judgement has allowed.
    func add(_ part: any RulesRequest) throws {
        parts.append(try JudgedPart(part))
    }

    /// Quick judgements have allowed all parts.
    func endAllowed() {
        coverage?.add(parts)
        project?.add(.allowed(parts), by: rules)
    }

    /// Takes the passes in phases.
    var observer: PassObserver {
        PassObserver(needsValues: coverage != nil) { [self] pass in
            if let recording = pass.recording { coverage?.add(recording) }
            if project != nil { passes.append(JudgedPass(pass)) }
        }
    }

    /// The last pass in phases is over.
    func endPhases() {
        if !passes.isEmpty { project?.add(.judged(passes), by: rules) }
    }
}
