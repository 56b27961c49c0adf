// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecurityRules

/// Proofs that all documents a query can find may be read.
@Suite(.timeLimit(.minutes(5)))
struct ConstraintTests {
    private struct Case: Sendable {
        let condition: String
        /// `nil` where it is proved.
        var refusal: String?

        init(_ condition: String, _ refusal: String? = nil) { (self.condition, self.refusal) = (condition, refusal) }
    }

    private static let unproven = "evaluation error at L4:1"
    private static let order = "timestamp,duration,float,int,string,bytes"

    /// With `n > 1`, and `3` in `l`.
    private static let cases = [
        Case("resource.data.n > 0"), Case("resource.data.n >= 1"), Case("0.5 < resource.data.n"),
        Case("resource.data.n != 1"), Case("resource.data.n != null"), Case("resource.data.n is constraint"),
        Case("3 in resource.data.l"), Case("3.0 in resource.data.l"), Case("resource.data.l.hasAny([1, 3])"),
        Case("resource.data.n > 2", unproven), Case("resource.data.n == 2", unproven),
        Case("resource.data.n < 0", unproven), Case("!(resource.data.n < 0)", unproven),
        Case("resource.data.n != 'a'", unproven), Case("4 in resource.data.l", unproven),
        Case("resource.data.l == [3]", unproven),
        Case("resource.data.n is int", "false"), Case("resource.data.n in [2]", "false"),
        Case("resource.data.l.hasAny([4])", "false"),
        Case("resource.data.l.hasAll([3])", "Function not found error: Name: [hasAll]."),
        Case("resource.data.n[0] == 1", "Function not found error: Name: [[]]."),
        Case("resource.data.n.x == 1", "Type error. Received: [constraint] Expected: [map,path]."),
        Case("resource.data.n > null", "Type error. Received: [null] Expected: [\(order)]."),
        Case("resource.data.n > resource.data.n", "Type error. Received: [constraint] Expected: [\(order)]."),
        Case("resource.data.m == 1", "Property m is undefined on object."),
        // Unsound, as the official emulator is: the query says nothing of these fields.
        Case("!('secret' in resource.data)"), Case("resource.data.get('public', true)"),
        Case("!(resource.data.n in [2])"),
    ]

    @Test(arguments: cases) private func `filters prove a condition, or do not`(_ sample: Case) throws {
        let rules = try SampleRules("match /c/{id} { allow list: if\n\n\(sample.condition)\n; }")
        let data: [String: RulesValue] = [
            "n": .constraint(Constraint([Constraint.Part(.greater, .integer(1))])),
            "l": .constraint(Constraint([Constraint.Part(.listContains, .integer(3))])),
        ]
        let refusal = try rules.refusal(
            of: .list,
            "c/?",
            constraints: .map(RulesMap(["data": .map(RulesMap(data))]))
        )
        #expect(refusal == sample.refusal.map { "\n\($0) for 'list' @ L4" })
    }
}
