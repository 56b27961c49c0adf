// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import SecurityRules

/// Conditions that hold together of some of the documents that a query finds: a part of its disjunctive normal form.
///
/// Rules are proved of each part by itself. Orders, cursors and limits say nothing (official emulator 1.19.9, 2026-11).
struct QueryDisjunct {
    private var conditions: [Condition] = []
    /// The name of the document; `nil` where any may do.
    private var name: Value?

    /// The document that it asks for by name; `nil` where it does not.
    var document: DocumentPath? { name?.documentPath }

    /// The parts of a filter, each once; one without conditions where there is none.
    static func all(of filter: Filter?) -> [QueryDisjunct] {
        guard let filter else { return [QueryDisjunct()] }
        return parts(of: filter).map(\.withNameAmongConditions).reduce(into: []) { unique, disjunct in
            if !unique.contains(where: { disjunct.isSame(as: $0) }) { unique.append(disjunct) }
        }
    }

    private static func parts(of filter: Filter) -> [QueryDisjunct] {
        switch filter {
        case .and(let filters):
            return filters.reduce([QueryDisjunct()]) { former, filter in
                let parts = parts(of: filter)
                return former.flatMap { left in parts.map { left.and($0) } }
            }
        case .or(let filters): return filters.flatMap { parts(of: $0) }
        case .field(let path, .equal, let operand) where path.isDocumentID: return [QueryDisjunct(named: operand)]
        case .field(let path, .in, let operand) where path.isDocumentID:
            return (operand.arrayElements ?? []).map(QueryDisjunct.init(named:))
        case .field(let path, let operation, let operand): return all(of: path, operation, operand)
        case .unary(let path, let operation): return [QueryDisjunct(Condition(of: path, operation.part))]
        }
    }

    private init(named name: Value? = nil) { self.name = name }

    private init(_ conditions: Condition...) { self.conditions = conditions }

    private func and(_ other: QueryDisjunct) -> QueryDisjunct {
        var both = self
        both.conditions += other.conditions.filter { new in !conditions.contains { $0.isSame(as: new) } }
        both.name = name ?? other.name
        return both
    }

    /// Beside a range of names, its name is a condition like those of fields.
    private var withNameAmongConditions: QueryDisjunct {
        guard let name, conditions.contains(where: \.path.isDocumentID) else { return self }
        var disjunct = self
        disjunct.name = nil
        disjunct.conditions.insert(Condition(of: .documentID, Constraint.Part(.equal, RulesValue(name))), at: 0)
        return disjunct
    }

    private func isSame(as other: QueryDisjunct) -> Bool {
        document == other.document && conditions.count == other.conditions.count
            && conditions.allSatisfy { condition in other.conditions.contains { $0.isSame(as: condition) } }
    }

    private static func all(
        of path: FieldPath,
        _ operation: Filter.FieldOperator,
        _ operand: Value
    ) -> [QueryDisjunct] {
        let operands = operand.arrayElements ?? []
        switch operation {
        case .in: return operands.map { QueryDisjunct(Condition(of: path, Constraint.Part(.equal, RulesValue($0)))) }
        case .arrayContainsAny:
            return operands.map { QueryDisjunct(Condition(of: path, Constraint.Part(.listContains, RulesValue($0)))) }
        case .notIn:
            var all = QueryDisjunct()
            all.conditions = operands.map { Condition(of: path, comparing: .notEqual, with: RulesValue($0)) }
            return [all]
        default:
            return [QueryDisjunct(Condition(of: path, comparing: operation.comparator, with: RulesValue(operand)))]
        }
    }

    /// The value of `resource`: the fields that it says something of, and no others; the name, likewise.
    var resource: RulesValue {
        var root = Branch()
        var names: [Constraint.Part]?
        for condition in conditions {
            if condition.path.isDocumentID {
                names = (names ?? []) + condition.parts
            } else {
                root.add(condition.parts, at: condition.path.segments[...])
            }
        }
        guard let names else { return .map(RulesMap(["data": root.map])) }
        let members = ["data": root.map, "__name__": RulesValue.constraint(Constraint(names))]
        return .map(RulesMap(members, order: ["data", "__name__"]))
    }
}

/// A condition of a field.
private struct Condition {
    let path: FieldPath
    /// The comparison as the query has it.
    private let written: Constraint.Part
    /// The parts that the official emulator makes of it (1.19.9, 2026-11).
    let parts: [Constraint.Part]

    /// Creates a condition that is one part.
    init(of path: FieldPath, _ part: Constraint.Part) { (self.path, written, parts) = (path, part, [part]) }

    /// Creates a comparison with a value.
    ///
    /// One with null, or with NaN, finds nothing: the field is at once `true` and `false`. An order of values that are
    /// neither numbers nor strings, bytes or times says nothing but that the field is there.
    init(of path: FieldPath, comparing comparator: Constraint.Comparator, with value: RulesValue) {
        (self.path, written) = (path, Constraint.Part(comparator, value))
        switch comparator {
        case .listContains where value.isNothing: parts = [Constraint.Part(.listContains, .list([]))]
        case .notEqual where value.isNaN: parts = [Constraint.Part(.notEqual, .null)]
        case _ where value.isNothing: parts = [true, false].map { Constraint.Part(.equal, .boolean($0)) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual: parts = value.isOrdered ? [written] : []
        case .equal, .notEqual, .listContains: parts = [written]
        }
    }

    func isSame(as other: Condition) -> Bool {
        path == other.path && written.isSame(as: other.written) && parts.count == other.parts.count
    }
}

extension RulesValue {
    fileprivate var isNothing: Bool {
        if case .null = self { true } else { isNaN }
    }

    fileprivate var isOrdered: Bool {
        switch self {
        case .integer, .float, .string, .bytes, .timestamp: true
        default: false
        }
    }
}

/// Conditions of a map's fields, and of the maps in it.
private struct Branch {
    /// The parts of each condition of a field.
    private var conditions: [String: [[Constraint.Part]]] = [:]
    private var branches: [String: Branch] = [:]

    mutating func add(_ new: [Constraint.Part], at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            conditions[name, default: []].append(new)
        } else {
            branches[name, default: Branch()].add(new, at: path.dropFirst())
        }
    }

    var map: RulesValue {
        let values = conditions.mapValues { conditions in
            let constraint = Constraint(conditions.flatMap(\.self))
            return (conditions.count == 1 ? constraint.onlyValue : nil) ?? .constraint(constraint)
        }
        return .map(RulesMap(values.merging(branches.mapValues(\.map)) { _, inner in inner }, isPartial: true))
    }
}

extension Value {
    fileprivate var documentPath: DocumentPath? {
        guard case .reference(let reference) = self else { return nil }
        return reference.path
    }
}

extension Filter.FieldOperator {
    fileprivate var comparator: Constraint.Comparator {
        switch self {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        case .equal, .in: .equal
        case .notEqual, .notIn: .notEqual
        case .arrayContains, .arrayContainsAny: .listContains
        }
    }
}

extension Filter.UnaryOperator {
    fileprivate var part: Constraint.Part {
        switch self {
        case .isNull: Constraint.Part(.equal, .null)
        case .isNaN: Constraint.Part(.equal, .float(.nan))
        case .isNotNull: Constraint.Part(.notEqual, .null)
        case .isNotNaN: Constraint.Part(.notEqual, .float(.nan))
        }
    }
}
