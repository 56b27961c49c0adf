// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A file of rules, compiled for a service.
package final class CompiledRules: Sendable {
    /// The file as it was given.
    package let source: String
    /// Doubts about it.
    package let warnings: [RulesIssue]
    private let plan: RulesPlan

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
        warnings = try RulesChecker.check(ruleset, of: text)
        plan = RulesPlanner.plan(ruleset, service: service, of: text)
    }

    /// Judges the parts of a request, all of which must be allowed.
    ///
    /// First without looking at any document, for every method that a part may be; then, where that leaves a part open, with the
    /// documents and the method that it is.
    ///
    /// - Throws: The error of a store that could not be read.
    package func judge(_ parts: [RulesRequest], with documents: (Int) -> any RulesDocuments) throws -> RulesVerdict {
        var reasons: [String] = []
        var open: [Int] = []
        for (number, part) in parts.enumerated() {
            switch judgeWithoutDocuments(part, with: documents(number), &reasons) {
            case .allowed: continue
            case .denied: return .denied(reasons)
            case .open: open.append(number)
            }
        }
        for number in open {
            let pass = pass(
                over: parts[number],
                as: parts[number].method,
                resource: try parts[number].constraints ?? parts[number].resource(),
                documents: documents(number),
                readsDocuments: true
            )
            let isAllowed = pass.isAllowed()
            reasons += pass.reasons
            if !isAllowed { return .denied(reasons) }
        }
        return .allowed
    }

    private enum FirstVerdict {
        case allowed, denied, open
    }

    private func judgeWithoutDocuments(
        _ request: RulesRequest,
        with documents: any RulesDocuments,
        _ reasons: inout [String]
    ) -> FirstVerdict {
        var allowedCount = 0
        var isOpen = false
        for method in request.methods {
            let pass = pass(
                over: request,
                as: method,
                resource: request.constraints ?? .failure(.unknown),
                documents: documents,
                readsDocuments: false
            )
            if pass.isAllowed() {
                allowedCount += 1
            } else {
                isOpen = isOpen || (pass.hasFailed && (method != .list || pass.hasMetUnknown))
            }
            reasons += pass.reasons
        }
        if allowedCount == request.methods.count { return .allowed }
        return isOpen || allowedCount > 0 ? .open : .denied
    }

    private func pass(
        over request: RulesRequest,
        as method: RulesMethod,
        resource: RulesValue,
        documents: any RulesDocuments,
        readsDocuments: Bool
    ) -> RulesPass {
        let evaluation = Evaluation(
            plan,
            request: request.request(method, readsDocuments),
            resource: resource,
            documents: documents,
            readsDocuments: readsDocuments
        )
        return RulesPass(plan, method: method, path: request.path, evaluation: evaluation)
    }
}
