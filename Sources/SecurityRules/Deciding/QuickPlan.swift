// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// What quick judgements need of a plan: in memory of its own, with nothing in it that is counted.
// Unchecked because the memory is written once, before anything else knows the object.
final class QuickPlan: @unchecked Sendable {
    enum Constant: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case float(Double)
        case text(PlanText)
        /// One that has to be made.
        case other
    }

    /// A member of `request` or `resource`, or of a member of them.
    struct Attribute: Sendable {
        enum Form: Sendable {
            case request, resource, user, userID, newResource, data, field, time, other
        }

        let form: Form
        let owner: Int
        let name: PlanText
    }

    struct Function: Sendable {
        let parameterCount: Int
        /// The places of its variables among those of all functions.
        let variables: Range<Int>
        let result: Int32
    }

    let nodes: UnsafeBufferPointer<PlanNode>
    let operands: UnsafeBufferPointer<Int32>
    let constants: UnsafeBufferPointer<Constant>
    let attributes: UnsafeBufferPointer<Attribute>
    let functions: UnsafeBufferPointer<Function>
    /// The nodes of the variables of all functions.
    let variables: UnsafeBufferPointer<Int32>
    let texts: UnsafeRawBufferPointer
    let matches: UnsafeBufferPointer<PlanMatch>
    let segments: UnsafeBufferPointer<PlanMatch.Segment>
    let allows: UnsafeBufferPointer<PlanAllow>
    let namedMatches: UnsafeBufferPointer<NamedMatches>
    let matchNumbers: UnsafeBufferPointer<Int32>
    let root: PlanMatchList
    let captureCountMax: Int
    let version: Ruleset.Version

    /// Makes what a plan needs; its texts are added to those of the plan.
    init(_ plan: RulesPlan) {
        var plan = plan
        constants = .copy(plan.constants.map { Self.constant($0, &plan) })
        attributes = .copy(Self.attributes(&plan))
        nodes = .copy(plan.nodes)
        operands = .copy(plan.operands)
        variables = .copy(plan.functions.flatMap(\.variables))
        functions = .copy(Self.functions(plan))
        texts = UnsafeRawBufferPointer(UnsafeBufferPointer.copy(plan.texts))
        (matches, segments, allows) = (.copy(plan.matches), .copy(plan.segments), .copy(plan.allows))
        (namedMatches, matchNumbers) = (.copy(plan.namedMatches), .copy(plan.matchNumbers))
        (root, captureCountMax, version) = (plan.root, plan.captureCountMax, plan.version)
    }

    deinit {
        nodes.deallocate()
        operands.deallocate()
        constants.deallocate()
        attributes.deallocate()
        functions.deallocate()
        variables.deallocate()
        texts.deallocate()
        matches.deallocate()
        segments.deallocate()
        allows.deallocate()
        namedMatches.deallocate()
        matchNumbers.deallocate()
    }

    private static func functions(_ plan: RulesPlan) -> [Function] {
        var variableCount = 0
        return plan.functions.map { function in
            defer { variableCount += function.variables.count }
            return Function(
                parameterCount: function.parameters.count,
                variables: variableCount..<(variableCount + function.variables.count),
                result: function.result
            )
        }
    }

    private static func attributes(_ plan: inout RulesPlan) -> [Attribute] {
        var made: [Attribute] = []
        made.reserveCapacity(plan.attributes.count)
        for attribute in plan.attributes {
            let form = form(of: attribute, owner: attribute.owner < 0 ? nil : made[attribute.owner].form)
            made.append(Attribute(form: form, owner: attribute.owner, name: plan.text(attribute.name)))
        }
        return made
    }

    private static func form(of attribute: PlanAttribute, owner: Attribute.Form?) -> Attribute.Form {
        switch (owner, attribute.name) {
        case (nil, "request"): .request
        case (nil, _): .resource
        case (.request?, "auth"): .user
        case (.request?, "resource"): .newResource
        case (.request?, "time"): .time
        case (.user?, "uid"): .userID
        case (.resource?, "data"), (.newResource?, "data"): .data
        case (.data?, _): .field
        default: .other
        }
    }

    private static func constant(_ value: RulesValue, _ plan: inout RulesPlan) -> Constant {
        switch value {
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .integer(number)
        case .float(let number): .float(number)
        case .string(let text): .text(plan.text(text))
        default: .other
        }
    }
}

extension UnsafeBufferPointer {
    /// Memory with the elements of an array.
    fileprivate static func copy(_ elements: [Element]) -> Self {
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = copy.initialize(from: elements)
        return Self(copy)
    }
}
