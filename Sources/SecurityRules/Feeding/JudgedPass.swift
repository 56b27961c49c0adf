// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A pass over the rules as a feed shows it.
struct JudgedPass: Sendable {
    enum Outcome: String {
        case allow, deny
        /// No condition held, and one had no value.
        case error
    }

    /// A condition that was judged.
    struct Condition: Sendable {
        /// The number of its `allow`.
        let rule: Int
        /// `nil` where it had no value.
        let holds: Bool?
    }

    let method: RulesMethod
    let path: [RulesPath.Segment]
    let request: RulesValue
    let resource: RulesValue
    let conditions: [Condition]

    init(_ pass: borrowing RulesPass) {
        (method, path) = (pass.method, pass.path)
        (request, resource) = pass.inputs
        conditions = pass.evaluations.map { Condition(rule: $0.rule, holds: $0.holds) }
    }

    var outcome: Outcome {
        if conditions.contains(where: { $0.holds == true }) { return .allow }
        return conditions.contains { $0.holds == nil } ? .error : .deny
    }

    /// An estimate of the memory that it holds.
    var byteCount: Int { 1_024 + request.byteCount + resource.byteCount }
}
