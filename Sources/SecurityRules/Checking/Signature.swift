// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A form of an operator or a function: the types of its operands, and of its result.
struct Signature: Sendable {
    /// `nil` for an operand of any type; a receiver comes first.
    let operands: [StaticType?]
    /// `nil` where nothing is known of it.
    let result: StaticType?

    /// The forms in a text such as `string, list -> bool; list, list -> bool`, with `any` for whatever is not checked.
    static func forms(_ text: String) -> [Signature] {
        text.split(separator: ";").map { form in
            let halves = form.split(separator: ">").map { part in
                part.split { ", -".contains($0) }.map { StaticType(rawValue: String($0)) }
            }
            return Signature(operands: halves.count > 1 ? halves[0] : [], result: halves.last?.first ?? nil)
        }
    }
}

extension [Signature] {
    /// The forms whose result is one that is needed.
    func yielding(_ demand: [StaticType]?) -> [Signature] {
        guard let demand else { return self }
        let numbers: [StaticType] = [.int, .float]
        let takesNumbers = !demand.isDisjoint(from: numbers)
        return filter { form in
            guard let result = form.result else { return true }
            return demand.contains(result) || takesNumbers && numbers.contains(result)
        }
    }

    /// The types that an operand may have; `nil` for any.
    func operand(_ number: Int) -> [StaticType]? {
        var types: [StaticType] = []
        for form in self where number < form.operands.count {
            guard let type = form.operands[number] else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// The types that the result may have; `nil` where nothing is known.
    var results: [StaticType]? {
        var types: [StaticType] = []
        for form in self {
            guard let type = form.result else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }
}

extension BinaryOperator {
    var signatures: [Signature] { Self.all[self] ?? [] }

    private static let all: [BinaryOperator: [Signature]] = {
        let numbers = Signature.forms("int, int -> int; float, float -> float")
        let logic = Signature.forms("bool, bool -> bool")
        let comparison = Signature.forms("any, any -> bool")
        return [
            .or: logic, .and: logic, .equal: comparison, .notEqual: comparison, .less: comparison,
            .lessOrEqual: comparison, .greater: comparison, .greaterOrEqual: comparison,
            .isIn: Signature.forms(
                "any, list -> bool; any, set -> bool; any, map -> bool; any, constraint -> bool"
            ),
            .add: numbers
                + Signature.forms(
                    """
                    string, string -> string; duration, duration -> duration; duration, timestamp -> timestamp; \
                    timestamp, duration -> timestamp
                    """
                ),
            .subtract: numbers
                + Signature.forms(
                    """
                    duration, duration -> duration; timestamp, timestamp -> duration; \
                    timestamp, duration -> timestamp
                    """
                ),
            .multiply: numbers, .divide: numbers, .remainder: numbers,
        ]
    }()
}

extension UnaryOperator {
    var signatures: [Signature] { self == .not ? Self.notForms : Self.negationForms }

    private static let notForms = Signature.forms("bool -> bool")
    private static let negationForms = Signature.forms("int -> int; float -> float; duration -> duration")
}
