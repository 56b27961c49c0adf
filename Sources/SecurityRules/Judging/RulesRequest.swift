// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A request to be judged.
package struct RulesRequest {
    /// The methods that it may turn out to be: both create and update, where that depends on the documents.
    package var methods: [RulesMethod]
    /// The method that it is, once the documents are known.
    package var method: RulesMethod
    /// The full path.
    package var path: [RulesPath.Segment]
    /// The value of `request` for a method; the second argument is whether documents are looked at.
    package var request: (RulesMethod, Bool) -> RulesValue
    /// The value of `resource` by a query's filters; `nil` for a request that is not a query.
    package var constraints: RulesValue?
    /// The value of `resource`, once documents are looked at.
    package var resource: () throws -> RulesValue

    /// Creates a request.
    package init(
        methods: [RulesMethod],
        method: RulesMethod,
        path: [RulesPath.Segment],
        request: @escaping (RulesMethod, Bool) -> RulesValue,
        constraints: RulesValue? = nil,
        resource: @escaping () throws -> RulesValue
    ) {
        (self.methods, self.method, self.path) = (methods, method, path)
        (self.request, self.constraints, self.resource) = (request, constraints, resource)
    }
}

/// The properties of a verdict that allows a request.
package struct RulesAllowance: Sendable, Equatable {
    /// Whether it depends neither on other documents nor on the time.
    package var isLasting = true
    /// The rules that hold for a query for the first time although its filters leave open what they take for certain.
    package var credulous: [RuleUsage] = []
}

/// The verdict on a request.
package enum RulesVerdict: Sendable, Equatable {
    case allowed(RulesAllowance)
    /// With the reasons as the official emulator writes them (1.19.9, 2026-11).
    case denied(String)

    /// The verdict with each condition that was looked at.
    static func denied(_ reasons: [String]) -> Self {
        .denied(reasons.isEmpty ? "No matching allow statements" : "\n" + reasons.joined(separator: ", "))
    }

    package var isAllowed: Bool {
        if case .allowed = self { true } else { false }
    }
}
