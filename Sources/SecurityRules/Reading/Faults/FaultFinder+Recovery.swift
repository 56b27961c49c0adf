// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FaultFinder {
    mutating func endRecovery() {
        isRecovering = false
        lastFault = nil
    }

    /// Reports a fault that ends a rule, unless it follows from another.
    mutating func report(_ failure: Failure) {
        guard !isRecovering else { return }
        isRecovering = true
        switch failure {
        case .unexpected(let place): refuse("Unexpected '\(tokens[place].text)'.", at: place)
        case .mismatch(let expected):
            refuse("mismatched input '\(tokens[place].text)' expecting \(expected.description)")
        case .exhausted: break
        }
    }

    /// Skips to where a rule around may continue.
    mutating func recover() {
        if let last = lastFault, last.place == place, last.states.contains(state) { advance() }
        lastFault = (place, (lastFault?.states ?? []).union([state]))
        skip(to: recoverySet)
    }

    private mutating func skip(to set: SymbolSet) {
        while symbol != .end, !set.contains(symbol) { advance() }
    }

    /// The symbols that may follow the rules that are being read.
    private var recoverySet: SymbolSet {
        var set: SymbolSet = []
        for frame in frames.dropFirst() { set.formUnion(network.next[follower(of: frame)]) }
        set.remove(.outside)
        return set
    }

    func follower(of frame: Frame) -> Int {
        guard case .rule(_, let follower)? = network.states[frame.caller].edges.first else { return frame.caller }
        return follower
    }

    /// Looks whether a token fits before a choice; if not, and the rule cannot end, finds a way around it.
    mutating func synchronize(at state: Int) throws(Failure) {
        self.state = state
        guard !isRecovering else { return }
        let next = network.next[state]
        if next.contains(symbol) {
            saved = nil
            return
        }
        if next.contains(.outside) {
            if saved == nil { saved = (state, frames) }
            return
        }
        switch network.states[state].kind {
        case .choice: if !leftOut() { throw .mismatch(expected()) }
        case .loopBack:
            refuseUnwanted()
            var set = expected()
            set.formUnion(recoverySet)
            skip(to: set)
        default: break
        }
    }

    /// Copes with a token that is not the one that must be there.
    mutating func recoverInline() throws(Failure) {
        if leftOut() {
            advance()
            return
        }
        guard case .token(_, let target)? = network.states[state].edges.first,
            symbols(after: target, in: frames).contains(symbol)
        else {
            throw .mismatch(saved.map { symbols(after: $0.state, in: $0.frames) } ?? expected())
        }
        if !isRecovering {
            isRecovering = true
            refuse("missing \(expected().description) at '\(tokens[place].text)'")
        }
        isTypeMissing = true
    }

    /// Leaves out a token if the next one fits.
    private mutating func leftOut() -> Bool {
        guard expected().contains(following) else { return false }
        refuseUnwanted()
        advance()
        endRecovery()
        return true
    }

    /// Unlike ANTLR's own, this complains also about what follows from another fault, and does not keep others back.
    private mutating func refuseUnwanted() { refuse("Unexpected '\(tokens[place].text)'.") }

    private func expected() -> SymbolSet { symbols(after: state, in: frames) }

    /// The symbols that may come next, also behind the rules that are being read.
    private func symbols(after state: Int, in frames: [Frame]) -> SymbolSet {
        var set = network.next[state]
        for frame in frames.dropFirst().reversed() where set.contains(.outside) {
            set.remove(.outside)
            set.formUnion(network.next[follower(of: frame)])
        }
        return set
    }
}
