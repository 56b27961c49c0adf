// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import SecurityRules

/// Conditions that hold together of some of the documents that a query finds: a part of its disjunctive normal form.
///
/// Rules are proved of each part by itself. Orders, cursors and limits say nothing (official emulator 1.19.9, 2026-11).
struct QueryDisjunct {
    private var conditions: [(path: FieldPath, part: Constraint.Part)] = []
    /// The documents that it asks for by name; `nil` where it does not.
    private(set) var documents: [DocumentPath]?

    /// The parts of a filter, each once; one without conditions where there is none.
    static func all(of filter: Filter?) -> [QueryDisjunct] {
        guard let filter else { return [QueryDisjunct()] }
        let hasRange = filter.hasRangeOfNames
        var unique: [QueryDisjunct] = []
        for var disjunct in parts(of: filter) {
            // A range of names takes away what equality says of them.
            if hasRange { disjunct.documents = nil }
            if !unique.contains(where: { disjunct.isSame(as: $0) }) { unique.append(disjunct) }
        }
        return unique
    }

    private static func parts(of filter: Filter) -> [QueryDisjunct] {
        switch filter {
        case .and(let filters):
            return filters.reduce([QueryDisjunct()]) { former, filter in
                parts(of: filter).flatMap { other in former.map { $0.and(other) } }
            }
        case .or(let filters): return filters.flatMap { parts(of: $0) }
        case .field(let path, let operation, let operand): return all(of: path, operation, operand)
        case .unary(let path, let operation): return [QueryDisjunct(path, operation.part)]
        }
    }

    private init() {}

    private init(_ path: FieldPath, _ parts: Constraint.Part...) { conditions = parts.map { (path, $0) } }

    private func and(_ other: QueryDisjunct) -> QueryDisjunct {
        var both = self
        for (path, part) in other.conditions
        where !both.conditions.contains(where: { $0.path == path && $0.part.isSame(as: part) }) {
            both.conditions.append((path, part))
        }
        both.documents = documents == nil ? other.documents : documents
        return both
    }

    private func isSame(as other: QueryDisjunct) -> Bool {
        documents == other.documents && conditions.count == other.conditions.count
            && conditions.allSatisfy { path, part in
                other.conditions.contains { $0.path == path && $0.part.isSame(as: part) }
            }
    }

    private static func all(
        of path: FieldPath,
        _ operation: Filter.FieldOperator,
        _ operand: Value
    ) -> [QueryDisjunct] {
        let operands = operand.arrayElements ?? []
        if path.isDocumentID { return [named(operation, operand, operands)] }
        switch operation {
        case .in: return operands.map { QueryDisjunct(path, Constraint.Part(.equal, RulesValue($0))) }
        case .arrayContainsAny:
            return operands.map { QueryDisjunct(path, Constraint.Part(.listContains, RulesValue($0))) }
        case .notIn:
            var all = QueryDisjunct()
            all.conditions = operands.map { (path, Constraint.Part(.notEqual, RulesValue($0))) }
            return [all]
        case .equal where operand == .null, .notEqual where operand == .null:
            return [QueryDisjunct(path, Constraint.Part(.writtenNull, .null))]
        default:
            return [QueryDisjunct(path, Constraint.Part(operation.comparator, RulesValue(operand)))]
        }
    }

    /// A range of names says nothing.
    private static func named(
        _ operation: Filter.FieldOperator,
        _ operand: Value,
        _ operands: [Value]
    ) -> QueryDisjunct {
        var disjunct = QueryDisjunct()
        switch operation {
        case .equal: disjunct.documents = [operand].compactMap(\.documentPath)
        case .in: disjunct.documents = operands.compactMap(\.documentPath)
        default: break
        }
        return disjunct
    }

    /// The value of `resource`: the fields that it says something of, and no others.
    var resource: RulesValue {
        var root = Branch()
        for (path, part) in conditions { root.add(part, at: path.segments[...]) }
        return .map(RulesMap(["data": root.map]))
    }
}

/// Conditions of a map's fields, and of the maps in it.
private struct Branch {
    private var parts: [String: [Constraint.Part]] = [:]
    private var branches: [String: Branch] = [:]

    mutating func add(_ part: Constraint.Part, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            parts[name, default: []].append(part)
        } else {
            branches[name, default: Branch()].add(part, at: path.dropFirst())
        }
    }

    var map: RulesValue {
        let values = parts.mapValues { parts in Constraint(parts).onlyValue ?? .constraint(Constraint(parts)) }
        return .map(RulesMap(values.merging(branches.mapValues(\.map)) { _, inner in inner }, isPartial: true))
    }
}

extension Filter {
    /// Whether it compares names by their order.
    fileprivate var hasRangeOfNames: Bool {
        switch self {
        case .and(let filters), .or(let filters): filters.contains(where: \.hasRangeOfNames)
        case .field(let path, let operation, _): path.isDocumentID && operation != .equal && operation != .in
        case .unary: false
        }
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
