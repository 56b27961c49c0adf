// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A node of an expression, ready to be evaluated: names are resolved, and it refers to others by number.
struct PlanNode: Sendable {
    enum Kind: UInt8, Sendable {
        /// The constant `a`.
        case constant
        /// The attribute `a`, which has `b` members in a row; the node of its owner is `c`.
        case attribute
        /// The capture `a` of the matches around.
        case capture
        /// The parameter or variable `a` of the function.
        case local
        /// A name that stands for nothing.
        case undefined
        /// The member named `b` of `a`.
        case member
        /// The element `b` of `a`.
        case index
        /// The elements of `a` from `b` to `c`, either perhaps missing.
        case slice
        /// The operands from `a`, `b` of them.
        case list
        /// Keys and values in turn, from `a`, `b` operands.
        case map
        /// The parts of the path `a`, its computed ones from the operand `b`, `c` of them.
        case path
        case negation, not
        /// `a` and `b`, between them the operator.
        case binary
        case and, or
        /// Whether `a` is of the type.
        case typeCheck
        case conditional
        /// The function `a` with the operands from `b`, `c` of them.
        case function
        /// The builtin with the operands from `b`, `c` of them.
        case builtin
        /// The method of `a` with the operands from `b`, `c` of them.
        case method
        /// A call of what does not exist, by the name `a`, with the operands from `b`, `c` of them.
        case unknownFunction
        /// A call of what does not exist, by the name `a`, on the operand at `b`, with those behind it, `c` of all.
        case unknownMethod
        /// The variable `a` of a function with the expression behind it, `b`, for reports: it is not evaluated.
        case binding
    }

    var kind: Kind
    var binary: BinaryOperator = .equal
    var type: TypeName = .bool
    var builtin: Builtin = .debug
    var method: Method = .size
    /// Whether a part of a list or a path that is not its last may look at a document: what is unknown at first is a failure.
    var mayLeaveOperands = false
    var a: Int32 = -1
    var b: Int32 = -1
    var c: Int32 = 0
}

/// A member of `request` or `resource`, or of a member of them: wherever it is named, it is one and the same.
struct PlanAttribute: Sendable, Hashable {
    /// The number of the attribute that it is a member of.
    var owner: Int
    var name: String
}

/// A function, ready to be called.
struct PlanFunction: Sendable {
    var name: String
    var parameters: [String]
    /// The nodes of its variables, in their order.
    var variables: [Int32]
    /// The nodes of its bindings, in their order.
    var bindings: [Int32] = []
    var result: Int32

    /// The failure of a call with too few or too many arguments.
    func misuse(argumentCount: Int) -> RulesValue {
        let expected = "\(name)(\(parameters.joined(separator: ", ")))"
        return .failure(.argumentCount(received: argumentCount, expected: expected))
    }
}

/// A path in an expression.
struct PlanPath: Sendable {
    enum Part: Sendable {
        case literal(String)
        case computed
        case capture(String)
        case glob(String)
    }

    var parts: [Part]
}
