// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A request to be judged.
package protocol RulesRequest: AnyObject {
    /// The methods that it may turn out to be: both create and update, where that depends on the documents.
    var methods: [RulesMethod] { get }
    /// The method that it is, once the documents are known.
    var method: RulesMethod { get }
    /// The full path.
    var path: [RulesPath.Segment] { get }
    /// The value of `resource` by a query's filters; `nil` for a request that is not a query.
    var constraints: RulesValue? { get }

    /// The value of `request`.
    ///
    /// - Parameters:
    ///   - method: The method that is asked about, one of ``methods``.
    ///   - knowsDocuments: Whether documents are looked at.
    /// - Returns: The value.
    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue
    /// The value of `resource`, once documents are looked at.
    func resource() throws -> RulesValue
    /// Says what it is about, in place of values; a request that only values can describe says nothing.
    func describe(in facts: RequestFacts) throws
}

extension RulesRequest {
    package var methods: [RulesMethod] { [method] }
    package var constraints: RulesValue? { nil }
    package func describe(in facts: RequestFacts) {}
}

/// The properties of a verdict that allows a request.
package struct RulesAllowance: Sendable, Equatable {
    /// Whether it depends neither on other documents nor on the time.
    package var isLasting = true
    /// The line of the rule that held, as `line 12`; for several parts, that of the last one.
    package var rule: String?
    /// The rules that hold for a query for the first time although its filters leave open what they take for certain.
    package var credulous: [RuleUsage] = []
    /// The evaluations by which it was allowed.
    var evaluations: [RuleEvaluation] = []
}

/// The verdict on a request.
package enum RulesVerdict: Sendable, Equatable {
    case allowed(RulesAllowance)
    /// With the reasons as the official emulator writes them (1.19.9, 2026-11).
    case denied(String)
    /// A condition cannot be evaluated, so that the request fails.
    case failed

    /// The verdict with each condition that was looked at.
    static func denied(_ reasons: [String]) -> Self {
        .denied(reasons.isEmpty ? "No matching allow statements" : "\n" + reasons.joined(separator: ", "))
    }

    package var isAllowed: Bool {
        if case .allowed = self { true } else { false }
    }
}
