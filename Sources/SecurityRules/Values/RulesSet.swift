// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Values without an order, none twice: 1 and 1.0 are one.
package struct RulesSet: Sendable {
    let elements: [RulesValue]

    init(_ values: [RulesValue]) {
        var elements: [RulesValue] = []
        for value in values where !elements.contains(value, by: .loose) { elements.append(value) }
        self.elements = elements
    }

    func contains(_ value: RulesValue) -> Bool { elements.contains(value, by: .loose) }
}

extension [RulesValue] {
    func contains(_ value: RulesValue, by sameness: Sameness) -> Bool {
        contains { $0.isSame(as: value, by: sameness) }
    }
}
