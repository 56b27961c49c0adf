// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The values that each expression of a file of rules had in the requests of a project.
///
/// The first requests are recorded, and no others: those of a run of tests, not those of a load test. A recorded
/// request takes the passes of the official emulator with the values of each node, several times the work of a quick
/// pass.
package final class RulesCoverage: Sendable {
    /// Requests that are recorded; our own choice.
    package static let requestCountMax = 20_000
    /// Different values of a node; the official emulator has no such limit (1.19.9, 2026-11).
    static let valueCountMax = 1_000
    /// Bytes of different values, all nodes together.
    static let byteCountMax = 32 << 20

    package let rules: CompiledRules
    private let content = NIOLockedValueBox(CoverageContent())

    /// Creates a record without values.
    package init(of rules: CompiledRules) { self.rules = rules }

    /// Whether no more requests are recorded.
    package var isFull: Bool { content.withLockedValue { $0.requestCount >= Self.requestCountMax } }

    /// Counts a request; returns whether it is to be recorded.
    func admitsRequest() -> Bool {
        content.withLockedValue { content in
            guard content.requestCount < Self.requestCountMax else { return false }
            content.requestCount += 1
            return true
        }
    }

    /// Adds the values of a pass.
    func add(_ pass: PassRecording?) {
        guard let pass, !pass.events.isEmpty else { return }
        content.withLockedValue { $0.add(pass) }
    }

    /// The tree of the file with the values so far.
    var nodes: [CoverageNode] {
        let content = content.withLockedValue(\.self)
        let text = SourceText(rules.source)
        return rules.plan.roots.compactMap { CoverageNode($0, in: rules.plan, text, content) }
    }
}

/// The values of all nodes.
struct CoverageContent {
    /// The values of a node in the order in which they first were seen.
    private struct Values {
        /// The places of the values among all.
        var order: [Int] = []
        var counts: [Int: Int] = [:]
    }

    var requestCount = 0
    /// The place of the value that is none: the node was left out.
    private static let leftOut = 0
    private var values: [RulesValue?] = [nil]
    private var places: [ValueKey: Int] = [:]
    private var byteCount = 0
    private var ofNodes: [Int32: Values] = [:]

    /// Adds the values of a pass: those before a condition count once more for each condition that follows in the pass.
    ///
    /// (Official emulator 1.19.9, 2026-11: it adds all of a pass again at the end of each condition.)
    mutating func add(_ pass: PassRecording) {
        var known: [ObjectIdentifier: Int?] = [:]
        var condition = 0
        for (number, event) in pass.events.enumerated() {
            while condition < pass.ends.count, pass.ends[condition] <= number { condition += 1 }
            guard condition < pass.ends.count, let place = place(of: event.value, &known) else { continue }
            count(place, of: event.node, times: pass.ends.count - condition)
        }
    }

    private mutating func count(_ place: Int, of node: Int32, times: Int) {
        var values = ofNodes.removeValue(forKey: node) ?? Values()
        if let count = values.counts[place] {
            values.counts[place] = count + times
        } else if values.order.count < RulesCoverage.valueCountMax {
            values.order.append(place)
            values.counts[place] = times
        }
        ofNodes[node] = values
    }

    /// The place of a value; `nil` for a new one where there are too many.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - known: The places of the maps of the pass: nodes share them, and a look into one takes long.
    /// - Returns: The place.
    private mutating func place(of value: RulesValue?, _ known: inout [ObjectIdentifier: Int?]) -> Int? {
        guard let value else { return Self.leftOut }
        guard case .map(let map) = value else { return place(of: value) }
        if let place = known[ObjectIdentifier(map)] { return place }
        let place = place(of: value)
        known[ObjectIdentifier(map)] = place
        return place
    }

    private mutating func place(of value: RulesValue) -> Int? {
        let key = ValueKey(value)
        if let place = places[key] { return place }
        guard byteCount + key.bytes.count <= RulesCoverage.byteCountMax else { return nil }
        byteCount += key.bytes.count
        places[key] = values.count
        values.append(value)
        return values.count - 1
    }

    /// The values of a node with their counts; one that is `nil` where the node was left out.
    func values(of node: Int32) -> [CoverageNode.Count] {
        guard let own = ofNodes[node] else { return [] }
        return own.order.map { CoverageNode.Count(value: values[$0], count: own.counts[$0] ?? 0) }
    }
}

/// An expression in a report.
struct CoverageNode {
    struct Count {
        /// `nil` where the node was left out.
        let value: RulesValue?
        let count: Int
    }

    let range: SourceRange
    let position: RulesIssue.Position
    let counts: [Count]
    let children: [CoverageNode]

    /// `nil` for a constant, which no report shows.
    init?(_ number: Int32, in plan: RulesPlan, _ text: SourceText, _ content: CoverageContent) {
        guard plan.nodes[Int(number)].kind != .constant else { return nil }
        range = plan.spans[Int(number)].range
        position = text.position(of: range)
        counts = content.values(of: number)
        children = plan.children(of: number).compactMap { CoverageNode($0, in: plan, text, content) }
    }
}
