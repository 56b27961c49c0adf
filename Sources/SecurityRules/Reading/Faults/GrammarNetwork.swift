// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The grammar as a network of states, between which tokens and rules lead.
///
/// It is what ANTLR makes of a grammar, and what it looks ahead in; so its messages depend on it.
struct GrammarNetwork: Sendable {
    enum Edge: Sendable {
        case free(Int)
        case token(SymbolSet, Int)
        case rule(GrammarRule, Int)
    }

    struct State: Sendable {
        enum Kind: Sendable {
            case plain, choice, loopBack, ruleEnd
        }

        var kind = Kind.plain
        let rule: GrammarRule
        var edges: [Edge] = []
        /// The edges for looking ahead through a choice.
        var edgesAhead: [Edge]?
    }

    /// An act of reading a rule, with the state that it begins in.
    indirect enum Step: Sendable {
        case token(Int, SymbolSet)
        case rule(Int, GrammarRule)
        case action(GrammarAction)
        case choice(Decision, [[Step]])
        case optional(Decision, [[Step]])
        /// With the decision among the alternatives of the body.
        case star(Decision, back: Int, inner: Decision, [[Step]])
        case plus(Decision, back: Decision, [[Step]])
    }

    /// A state with several edges.
    struct Decision: Sendable {
        let state: Int
        /// The first symbols of each edge where they differ, so that one token decides.
        var firsts: [SymbolSet]?
    }

    static let shared = GrammarNetwork()

    private(set) var states: [State] = []
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    private(set) var steps: [[Step]] = []
    /// The states behind every call of a rule.
    private(set) var followers: [[Int]] = []
    /// The symbols that may come next in a state, with `outside` where its rule may end.
    private(set) var next: [SymbolSet] = []

    private init() {
        for rule in GrammarRule.allCases {
            starts.append(add(rule))
            ends.append(add(rule))
            states[ends[rule.rawValue]].kind = .ruleEnd
        }
        followers = starts.map { _ in [] }
        for rule in GrammarRule.allCases {
            let (first, steps) = build(rule.alternatives, of: rule, to: ends[rule.rawValue])
            states[starts[rule.rawValue]].edges = [.free(first)]
            self.steps.append(steps)
        }
        for case .rule(let rule, let follower) in states.flatMap(\.edges) {
            followers[rule.rawValue].append(follower)
        }
        next = states.indices.map { symbols(after: $0) }
        steps = steps.map(decided)
    }

    // MARK: Building

    private mutating func add(_ rule: GrammarRule) -> Int {
        states.append(State(rule: rule))
        return states.count - 1
    }

    private mutating func addState(_ kind: State.Kind, of rule: GrammarRule, _ edges: [Edge] = []) -> Int {
        let state = add(rule)
        states[state].kind = kind
        states[state].edges = edges
        return state
    }

    /// Builds a choice, or the only alternative.
    private mutating func build(
        _ alternatives: [[GrammarPart]],
        of rule: GrammarRule,
        to end: Int
    ) -> (first: Int, steps: [Step]) {
        if alternatives.count == 1 { return build(alternatives[0], of: rule, to: end) }
        let built = alternatives.map { build($0, of: rule, to: end) }
        let state = addState(.choice, of: rule, built.map { .free($0.first) })
        return (state, [.choice(Decision(state: state), built.map(\.steps))])
    }

    private mutating func build(
        _ parts: [GrammarPart],
        of rule: GrammarRule,
        to end: Int
    ) -> (first: Int, steps: [Step]) {
        var first = end
        var steps: [Step] = []
        for part in parts.reversed() {
            let built = build(part, of: rule, to: first)
            first = built.first
            steps.insert(built.step, at: 0)
        }
        return (first, steps)
    }

    private mutating func build(_ part: GrammarPart, of rule: GrammarRule, to end: Int) -> (first: Int, step: Step) {
        switch part {
        case .token(let set):
            let state = addState(.plain, of: rule, [.token(set, end)])
            return (state, .token(state, set))
        case .rule(let called):
            let state = addState(.plain, of: rule, [.rule(called, end)])
            return (state, .rule(state, called))
        case .action(let action):
            return (addState(.plain, of: rule, [.free(end)]), .action(action))
        case .choice(let alternatives, let ahead):
            let built = alternatives.map { build($0, of: rule, to: end) }
            let state = addState(.choice, of: rule, built.map { .free($0.first) })
            states[state].edgesAhead = ahead.map { .free(build($0, of: rule, to: end).first) }
            return (state, .choice(Decision(state: state), built.map(\.steps)))
        case .optional(let alternatives):
            let built = alternatives.map { build($0, of: rule, to: end) }
            let state = addState(.choice, of: rule, built.map { .free($0.first) } + [.free(end)])
            return (state, .optional(Decision(state: state), built.map(\.steps)))
        case .star(let alternatives):
            let entry = addState(.choice, of: rule)
            let back = addState(.loopBack, of: rule, [.free(entry)])
            let built = alternatives.map { build($0, of: rule, to: back) }
            let inner = addState(.choice, of: rule, built.map { .free($0.first) })
            states[entry].edges = [.free(inner), .free(end)]
            let decision = Decision(state: entry)
            return (entry, .star(decision, back: back, inner: Decision(state: inner), built.map(\.steps)))
        case .plus(let alternatives):
            let back = addState(.loopBack, of: rule)
            let built = alternatives.map { build($0, of: rule, to: back) }
            let inner = addState(.choice, of: rule, built.map { .free($0.first) })
            states[back].edges = [.free(inner), .free(end)]
            return (inner, .plus(Decision(state: inner), back: Decision(state: back), built.map(\.steps)))
        }
    }

    // MARK: Looking ahead by one

    /// The symbols that may come next, with `outside` where the rule may end.
    private func symbols(after state: Int) -> SymbolSet {
        var seen: Set<Int> = []
        return symbols(after: state, isGlobal: false, &seen)
    }

    private func symbols(after state: Int, isGlobal: Bool, _ seen: inout Set<Int>) -> SymbolSet {
        guard seen.insert(state).inserted else { return [] }
        var found: SymbolSet = []
        if states[state].kind == .ruleEnd {
            guard isGlobal else { return [.outside] }
            for follower in followers[states[state].rule.rawValue] {
                found.formUnion(symbols(after: follower, isGlobal: true, &seen))
            }
        }
        for edge in states[state].edges {
            switch edge {
            case .free(let target): found.formUnion(symbols(after: target, isGlobal: isGlobal, &seen))
            case .token(let set, _): found.formUnion(set)
            case .rule(let rule, let follower):
                // No rule of this grammar matches nothing.
                var inner: Set<Int> = []
                var first = symbols(after: starts[rule.rawValue], isGlobal: false, &inner)
                if first.contains(.outside) {
                    first.remove(.outside)
                    first.formUnion(symbols(after: follower, isGlobal: isGlobal, &seen))
                }
                found.formUnion(first)
            }
        }
        return found
    }

    // MARK: Decisions by one token

    private func decided(_ steps: [Step]) -> [Step] {
        steps.map { step in
            switch step {
            case .choice(let decision, let bodies): .choice(decided(decision), bodies.map(decided))
            case .optional(let decision, let bodies): .optional(decided(decision), bodies.map(decided))
            case .star(let decision, let back, let inner, let bodies):
                .star(decided(decision), back: back, inner: decided(inner), bodies.map(decided))
            case .plus(let decision, let back, let bodies):
                .plus(decided(decision), back: decided(back), bodies.map(decided))
            default: step
            }
        }
    }

    private func decided(_ decision: Decision) -> Decision {
        var seen: SymbolSet = []
        var firsts: [SymbolSet] = []
        for case .free(let target) in states[decision.state].edges {
            var visited: Set<Int> = []
            let first = symbols(after: target, isGlobal: true, &visited)
            if first.intersects(seen) { return decision }
            seen.formUnion(first)
            firsts.append(first)
        }
        return Decision(state: decision.state, firsts: firsts)
    }
}
