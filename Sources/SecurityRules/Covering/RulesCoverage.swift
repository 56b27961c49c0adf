// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The values that each expression of a file of rules had in the requests of a project.
///
/// The first requests are recorded, and no others: those of a run of tests, not those of a load test. What is judged is
/// only kept at first; the values are counted when a report is asked for, or when too much is kept.
package final class RulesCoverage: Sendable {
    /// Requests that are recorded; our own choice.
    package static let requestCountMax = 10_000
    /// Different values of a node; the official emulator has no such limit (1.19.9, 2026-11).
    static let valueCountMax = 1_000
    /// Bytes of different values, all nodes together.
    static let byteCountMax = 32 << 20
    /// Bytes that are kept until they are counted, by an estimate.
    private static let keptByteCountMax = 32 << 20

    /// A judgement that is not counted yet.
    private enum Kept {
        case pass(PassRecording)
        /// A quick judgement has allowed it.
        case request([JudgedPart])
    }

    private struct State {
        var requestCount = 0
        var kept: [Kept] = []
        var keptByteCount = 0
    }

    package let rules: CompiledRules
    private let state = NIOLockedValueBox(State())
    private let content: NIOLockedValueBox<CoverageContent>
    /// One at a time counts what is kept.
    private let counting = NIOLock()

    /// Creates a record without values.
    package init(of rules: CompiledRules) {
        self.rules = rules
        content = NIOLockedValueBox(CoverageContent(nodeCount: rules.plan.nodes.count))
    }

    /// Whether no more requests are recorded.
    package var isFull: Bool { state.withLockedValue { $0.requestCount >= Self.requestCountMax } }

    /// Counts a request; returns whether it is to be recorded.
    func admitsRequest() -> Bool {
        state.withLockedValue { state in
            guard state.requestCount < Self.requestCountMax else { return false }
            state.requestCount += 1
            return true
        }
    }

    /// Keeps the values of a pass.
    func add(_ pass: PassRecording) {
        guard !pass.events.isEmpty else { return }
        keep(.pass(pass), byteCount: pass.byteCount)
    }

    /// Keeps a request that a quick judgement has allowed.
    func add(_ judged: [JudgedPart]) {
        keep(.request(judged), byteCount: judged.reduce(0) { $0 + $1.byteCount })
    }

    private func keep(_ kept: Kept, byteCount: Int) {
        let isFull = state.withLockedValue { state in
            state.kept.append(kept)
            state.keptByteCount += byteCount
            return state.keptByteCount > Self.keptByteCountMax
        }
        if isFull { countKept() }
    }

    /// Counts the values of what is kept.
    private func countKept() {
        counting.withLock {
            let all = state.withLockedValue { state in
                defer { (state.kept, state.keptByteCount) = ([], 0) }
                return state.kept
            }
            for kept in all {
                switch kept {
                case .pass(let pass): content.withLockedValue { $0.add(pass) }
                case .request(let judged):
                    let observer = PassObserver(needsValues: true) { [content] pass in
                        if let recording = pass.recording { content.withLockedValue { $0.add(recording) } }
                    }
                    rules.repeatPasses(over: judged, observedBy: observer)
                }
            }
        }
    }

    /// The tree of the file with the values so far.
    var nodes: [CoverageNode] {
        countKept()
        let content = content.withLockedValue(\.self)
        let text = SourceText(rules.source)
        return rules.plan.roots.compactMap { CoverageNode($0, in: rules.plan, text, content) }
    }
}

/// The values of all nodes.
struct CoverageContent {
    /// The values of a node in the order in which they first were seen.
    private struct Values {
        /// A linear search is faster up to here.
        private static let searchCountMax = 8

        /// The places of the values among all, each with its count.
        private(set) var counts: [(place: Int, count: Int)] = []
        /// The indexes of the places, where there are many.
        private var indexes: [Int: Int] = [:]

        mutating func add(_ place: Int, times: Int) {
            let isShort = counts.count <= Self.searchCountMax
            if let index = isShort ? counts.firstIndex(where: { $0.place == place }) : indexes[place] {
                counts[index].count += times
            } else if counts.count < RulesCoverage.valueCountMax {
                counts.append((place, times))
                if counts.count == Self.searchCountMax + 1 {
                    for (index, value) in counts.enumerated() { indexes[value.place] = index }
                } else if !isShort {
                    indexes[place] = counts.count - 1
                }
            }
        }
    }

    /// The place of the value that is none: the node was left out.
    private static let leftOut = 0
    private var values: [RulesValue?] = [nil]
    private var places: [ValueKey: Int] = [:]
    private var byteCount = 0
    private var ofNodes: [Values]

    init(nodeCount: Int) { ofNodes = Array(repeating: Values(), count: nodeCount) }

    /// Adds the values of a pass: those before a condition count once more for each condition that follows in the pass.
    ///
    /// (Official emulator 1.19.9, 2026-11: it adds all of a pass again at the end of each condition.)
    mutating func add(_ pass: PassRecording) {
        var known: [ObjectIdentifier: Int?] = [:]
        var condition = 0
        for (number, event) in pass.events.enumerated() {
            while condition < pass.ends.count, pass.ends[condition] <= number { condition += 1 }
            guard condition < pass.ends.count, let place = place(of: event.value, &known) else { continue }
            ofNodes[Int(event.node)].add(place, times: pass.ends.count - condition)
        }
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
        if let place = known[map.identity] { return place }
        let place = place(of: value)
        known[map.identity] = place
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
        ofNodes[Int(node)].counts.map { CoverageNode.Count(value: values[$0.place], count: $0.count) }
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
