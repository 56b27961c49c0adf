// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A node of an expression, as it was written.
struct Expression: Sendable {
    indirect enum Form: Sendable {
        case literal(RulesValue)
        case list([Expression])
        case map([(key: Expression, value: Expression)])
        case path([PathPart])
        case variable(String)
        /// `owner.name`
        case member(Expression, String)
        /// `owner[index]`
        case index(Expression, Expression)
        /// `owner[from:to]`, without either where it is not written.
        case slice(Expression, from: Expression?, to: Expression?)
        /// `name(arguments)` or `receiver.name(arguments)`
        case call(receiver: Expression?, name: String, [Expression])
        case unary(UnaryOperator, Expression)
        case binary(BinaryOperator, Expression, Expression)
        /// `value is type`
        case typeCheck(Expression, TypeName)
        case conditional(Expression, then: Expression, otherwise: Expression)
    }

    let form: Form
    let range: SourceRange
    /// The place that an issue of the node names: its operator's, or its beginning.
    let place: SourceRange
    /// The outermost parenthesis that opens before it.
    var opening: SourceRange?
    /// The next one within it.
    var innerOpening: SourceRange?
    /// The tokens between which a report of coverage places the node.
    var span: TokenSpan
    /// The levels of the expression, with those of parentheses around parts of it.
    var height: Int32 = 1
}

extension Expression.Form {
    /// Visits the expressions of which it is made.
    func visitParts(_ visit: (Expression) throws -> Void) rethrows {
        switch self {
        case .literal, .variable: break
        case .list(let elements): for element in elements { try visit(element) }
        case .map(let entries):
            for entry in entries {
                try visit(entry.key)
                try visit(entry.value)
            }
        case .path(let parts): for case .computed(let value) in parts { try visit(value) }
        case .member(let part, _), .unary(_, let part), .typeCheck(let part, _): try visit(part)
        case .index(let first, let second), .binary(_, let first, let second):
            try visit(first)
            try visit(second)
        case .slice(let owner, let from, let to):
            try visit(owner)
            if let from { try visit(from) }
            if let to { try visit(to) }
        case .call(let receiver, _, let arguments):
            if let receiver { try visit(receiver) }
            for argument in arguments { try visit(argument) }
        case .conditional(let condition, let then, let otherwise):
            try visit(condition)
            try visit(then)
            try visit(otherwise)
        }
    }
}

/// A segment of a path in an expression.
enum PathPart: Sendable {
    case literal(String)
    /// `$(expression)`
    case computed(Expression)
    /// `{name}`, which `bind` gives a value.
    case capture(String)
    /// `{name=**}`
    case glob(String)
}

enum UnaryOperator: String, Sendable {
    case negation = "-"
    case not = "!"
}

enum BinaryOperator: String, Sendable {
    case or = "||"
    case and = "&&"
    case isIn = "in"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// The higher it is, the tighter the operator binds.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .isIn: 3
        case .equal, .notEqual: 5
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 6
        case .add, .subtract: 7
        case .multiply, .divide, .remainder: 8
        }
    }

    /// Of `is`, which has a type on its right.
    static let typeCheckPrecedence = 4
}

/// The types that `is` knows, in the order in which the official emulator names them.
enum TypeName: String, Sendable, CaseIterable {
    case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map, string, timestamp, path
    case mapDiff = "map_diff"
}
