// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SecurityRules

extension RulesValue {
    /// Takes over a claim of a token; floats without a fraction become integers.
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let isTrue): self = .boolean(isTrue)
        case .integer(let number): self = .integer(number)
        case .number(let digits):
            let number = Double(digits) ?? .nan
            self = Int64(exactly: number).map(RulesValue.integer) ?? .float(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(elements.map(RulesValue.init))
        case .object(let fields): self = .map(RulesMap(fields.mapValues(RulesValue.init)))
        }
    }
}
