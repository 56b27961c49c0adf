// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FaultFinder {
    /// Finds the only alternative that fits the tokens ahead, looking at as many as that takes.
    ///
    /// - Throws: The fault where none fits.
    mutating func predict(_ decision: Int) throws(Failure) -> Int {
        var known = lookahead
        lookahead = Lookahead(network, knowsAround: false)
        defer { lookahead = known }
        if let alternative = try predict(decision, with: &known) { return alternative }
        var exact = Lookahead(network, knowsAround: true)
        return try predict(decision, with: &exact) ?? 0
    }

    /// `nil` where the rules around must decide.
    private mutating func predict(_ decision: Int, with lookahead: inout Lookahead) throws(Failure) -> Int? {
        let around = lookahead.knowsAround ? frames.dropFirst().map(follower) : []
        var node = lookahead.start(decision, around: around)
        var place = place
        while true {
            lookaheadCount += 1
            guard lookaheadCount < Self.lookaheadMax, lookahead.nodes.count < Self.nodeCountMax else {
                throw .exhausted
            }
            guard let next = lookahead.next(node, symbols[place]) else {
                // One that fits up to here and has left the rule can be chosen still.
                guard let finished = lookahead.nodes[node].finished else { throw .unexpected(at: place) }
                return finished
            }
            node = next
            switch lookahead.nodes[node].verdict {
            case .alternative(let alternative): return alternative
            case .conflict: return nil
            case .open: break
            }
            if symbols[place] == .end { return lookahead.nodes[node].configurations.map(\.alternative).min() }
            place += 1
        }
    }
}
