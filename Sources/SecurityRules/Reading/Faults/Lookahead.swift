// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The places of the network that each alternative of a decision can have led to, token by token.
///
/// Results are kept for each decision, as ANTLR keeps its automata.
struct Lookahead {
    /// A place in the network that an alternative can have led to.
    struct Configuration: Hashable {
        let state: Int
        let alternative: Int
        /// The number of a list of the states to return to.
        let stack: Int
        /// Whether it has left the rule of the decision.
        let isOutside: Bool

        func moved(to state: Int, stack: Int? = nil) -> Self {
            Self(state: state, alternative: alternative, stack: stack ?? self.stack, isOutside: isOutside)
        }

        var outside: Self { Self(state: state, alternative: alternative, stack: stack, isOutside: true) }
    }

    /// All places after some tokens.
    struct Node {
        enum Verdict {
            case open
            case alternative(Int)
            /// Alternatives that will never differ; the rules around must decide.
            case conflict
        }

        let configurations: [Configuration]
        let verdict: Verdict
        /// The least alternative that has left the rule.
        let finished: Int?
        var next: [Symbol: Int] = [:]
    }

    /// Whether the rules around are known, beyond which all that may follow anywhere does.
    let knowsAround: Bool
    private let network: GrammarNetwork
    private(set) var nodes: [Node] = []
    private var numbers: [Set<Configuration>: Int] = [:]
    private var starts: [Int: Int] = [:]
    private var stacks = Stacks()

    init(_ network: GrammarNetwork, knowsAround: Bool) {
        self.network = network
        self.knowsAround = knowsAround
    }

    /// The node before any token.
    ///
    /// - Parameters:
    ///   - decision: The state with the alternatives.
    ///   - around: The states to return to, the outermost first.
    /// - Returns: Its number.
    mutating func start(_ decision: Int, around: [Int]) -> Int {
        if let known = starts[decision] { return known }
        let stack = around.reduce(Stacks.empty) { stacks.pushing($1, on: $0) }
        var first: [Configuration] = []
        for (alternative, edge) in network.states[decision].edges.enumerated() {
            guard case .free(let target) = edge else { continue }
            first.append(Configuration(state: target, alternative: alternative, stack: stack, isOutside: false))
        }
        var found = closure(first)
        if network.states[decision].rule == .expression {
            // An operator belongs to the innermost expression.
            let inner = Set(found.filter { $0.alternative == 0 }.map { [$0.state, $0.stack] })
            found = found.filter { $0.alternative == 0 || !inner.contains([$0.state, $0.stack]) }
        }
        starts[decision] = add(found)
        return nodes.count - 1
    }

    /// The node behind a token; `nil` where no alternative has it.
    mutating func next(_ node: Int, _ symbol: Symbol) -> Int? {
        if let known = nodes[node].next[symbol] { return known < 0 ? nil : known }
        var reached: [Configuration] = []
        for configuration in nodes[node].configurations {
            for case .token(let set, let target) in network.states[configuration.state].edges
            where set.contains(symbol) {
                reached.append(configuration.moved(to: target))
            }
        }
        let next = reached.isEmpty ? -1 : add(closure(reached))
        nodes[node].next[symbol] = next
        return next < 0 ? nil : next
    }

    private mutating func add(_ configurations: [Configuration]) -> Int {
        let key = Set(configurations)
        if let known = numbers[key] { return known }
        nodes.append(
            Node(
                configurations: configurations,
                verdict: verdict(on: configurations),
                finished: configurations.filter(\.isOutside).map(\.alternative).min()
            )
        )
        numbers[key] = nodes.count - 1
        return nodes.count - 1
    }

    private func verdict(on configurations: [Configuration]) -> Node.Verdict {
        let first = configurations.first?.alternative ?? 0
        if configurations.allSatisfy({ $0.alternative == first }) { return .alternative(first) }
        var byPlace: [[Int]: Set<Int>] = [:]
        var byState: [Int: Set<Int>] = [:]
        for configuration in configurations {
            byPlace[[configuration.state, configuration.stack], default: []].insert(configuration.alternative)
            byState[configuration.state, default: []].insert(configuration.alternative)
        }
        if knowsAround {
            let winners = Set(byPlace.values.compactMap { $0.min() })
            return winners.count == 1 ? .alternative(winners.first ?? 0) : .open
        }
        let isConflict = byPlace.values.contains { $0.count > 1 } && !byState.values.contains { $0.count == 1 }
        return isConflict ? .conflict : .open
    }

    // MARK: Without a token

    private mutating func closure(_ starts: [Configuration]) -> [Configuration] {
        var seen = Set(starts)
        var open = starts
        var found: [Configuration] = []
        while let configuration = open.popLast() {
            let state = network.states[configuration.state]
            var targets: [Configuration] = []
            if state.kind == .ruleEnd {
                targets = returns(from: configuration, state.rule)
                if targets.isEmpty { found.append(configuration.outside) }
            }
            var hasTokens = false
            for edge in state.edgesAhead ?? state.edges {
                switch edge {
                case .free(let target): targets.append(configuration.moved(to: target))
                case .token: hasTokens = true
                case .rule(let rule, let follower):
                    let stack = stacks.pushing(follower, on: configuration.stack)
                    targets.append(configuration.moved(to: network.starts[rule.rawValue], stack: stack))
                }
            }
            if hasTokens { found.append(configuration) }
            for target in targets where seen.insert(target).inserted { open.append(target) }
        }
        return found
    }

    private func returns(from configuration: Configuration, _ rule: GrammarRule) -> [Configuration] {
        let stack = configuration.stack
        if stack != Stacks.empty { return [configuration.moved(to: stacks.tops[stack], stack: stacks.rests[stack])] }
        if knowsAround { return [] }
        return network.followers[rule.rawValue].map { configuration.moved(to: $0).outside }
    }
}

/// Lists of states to return to, each with a number of its own.
private struct Stacks {
    static let empty = 0

    private(set) var tops = [-1]
    private(set) var rests = [0]
    private var numbers: [[Int]: Int] = [:]

    mutating func pushing(_ state: Int, on stack: Int) -> Int {
        if let known = numbers[[state, stack]] { return known }
        tops.append(state)
        rests.append(stack)
        numbers[[state, stack]] = tops.count - 1
        return tops.count - 1
    }
}
