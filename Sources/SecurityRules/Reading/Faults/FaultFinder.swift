// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names the faults of a file that is not one of rules, in the words of the official emulator.
///
/// It reads the tokens as a parser of ANTLR 4 does, with its recovery from a fault: it leaves out a token, pretends that
/// one is there, or skips to where a rule around may continue. The messages follow from that.
struct FaultFinder {
    /// A rule that is being read.
    struct Frame {
        let rule: GrammarRule
        /// The state of the rule around that called it.
        let caller: Int
    }

    /// Ends the reading of a rule.
    enum Failure: Error {
        case unexpected(at: Int)
        case mismatch(SymbolSet)
        /// It would take too long.
        case exhausted
    }

    /// Steps in one another: more would need more stack than a thread has.
    static let depthMax = 250
    /// Tokens that are looked at in advance, in all.
    static let lookaheadMax = 300_000
    /// Results of looking ahead that are kept.
    static let nodeCountMax = 10_000

    let network = GrammarNetwork.shared
    let text: SourceText
    let tokens: [Token]
    let symbols: [Symbol]
    var place = 0
    var state = 0
    var frames: [Frame] = []
    private var depth = 0
    var issues: [RulesIssue] = []
    /// Where the first fault is that a pass without recovery would end at.
    var firstFault: Int?
    var lookahead = Lookahead(GrammarNetwork.shared, knowsAround: false)
    var lookaheadCount = 0

    // What ANTLR's error strategy remembers.
    var isRecovering = false
    var lastFault: (place: Int, states: Set<Int>)?
    var saved: (state: Int, frames: [Frame])?

    // Of the type that is being read.
    var typeStart = 0
    var isTypeMissing = false

    /// Finds the faults of a file.
    ///
    /// - Returns: `nil` where it finds none, or gives up.
    static func issues(of text: SourceText, _ tokens: [Token], _ faults: [LexicalFault]) -> [RulesIssue]? {
        var finder = FaultFinder(text, tokens)
        do { try finder.read(.file, from: 0) } catch { return nil }
        // A first pass ends at the first fault, and what its lexer had found is forgotten.
        let first = finder.firstFault.map { tokens[$0].range.start } ?? 0
        for fault in faults where fault.start >= first {
            let found = text[SourceRange(start: fault.start, end: fault.last.end)]
            finder.issues.append(text.error("token recognition error at: '\(found)'", at: fault.last))
        }
        return finder.issues.isEmpty ? nil : finder.issues
    }

    private init(_ text: SourceText, _ tokens: [Token]) {
        self.text = text
        self.tokens = tokens
        symbols = tokens.map(Symbol.init)
    }

    var symbol: Symbol { symbols[place] }
    var following: Symbol { symbols[min(place + 1, symbols.count - 1)] }

    mutating func advance() { if place < symbols.count - 1 { place += 1 } }

    // MARK: Reading

    /// Reads a rule; a fault in it ends with it.
    private mutating func read(_ rule: GrammarRule, from caller: Int) throws(Failure) {
        frames.append(Frame(rule: rule, caller: caller))
        do throws(Failure) {
            try read(network.steps[rule.rawValue])
        } catch .exhausted {
            throw .exhausted
        } catch {
            report(error)
            recover()
        }
        frames.removeLast()
        state = caller
    }

    private mutating func read(_ steps: [GrammarNetwork.Step]) throws(Failure) {
        guard depth < Self.depthMax else { throw .exhausted }
        depth += 1
        defer { depth -= 1 }
        for step in steps { try read(step) }
    }

    private mutating func read(_ step: GrammarNetwork.Step) throws(Failure) {
        switch step {
        case .token(let number, let set):
            state = number
            try match(set)
        case .rule(let number, let rule):
            state = number
            try read(rule, from: number)
        case .action(let action):
            act(action)
        case .choice(let decision, let bodies):
            try synchronize(at: decision.state)
            try read(bodies[try choose(decision)])
        case .optional(let decision, let bodies):
            try synchronize(at: decision.state)
            let choice = try choose(decision, orElse: bodies.count)
            if choice < bodies.count { try read(bodies[choice]) }
        case .star(let decision, let back, let inner, let bodies):
            try synchronize(at: decision.state)
            while try choose(decision, orElse: 1) == 0 {
                try readBody(inner, bodies)
                try synchronize(at: back)
            }
        case .plus(let inner, let back, let bodies):
            try synchronize(at: inner.state)
            repeat {
                try readBody(inner, bodies)
                try synchronize(at: back.state)
            } while try choose(back, orElse: 1) == 0
        }
    }

    private mutating func readBody(
        _ inner: GrammarNetwork.Decision,
        _ bodies: [[GrammarNetwork.Step]]
    ) throws(Failure) {
        guard bodies.count > 1 else { return try read(bodies[0]) }
        try synchronize(at: inner.state)
        try read(bodies[try choose(inner)])
    }

    private mutating func match(_ set: SymbolSet) throws(Failure) {
        if set.contains(symbol) {
            endRecovery()
            advance()
        } else {
            try recoverInline()
        }
    }

    /// The alternative to read.
    ///
    /// - Throws: A fault where none can be, unless there is one to choose `orElse`.
    private mutating func choose(
        _ decision: GrammarNetwork.Decision,
        orElse fallback: Int? = nil
    ) throws(Failure) -> Int {
        guard let firsts = decision.firsts else {
            state = decision.state
            return try predict(decision.state)
        }
        if let choice = firsts.firstIndex(where: { $0.contains(symbol) }) ?? fallback { return choice }
        throw .unexpected(at: place)
    }

    private mutating func act(_ action: GrammarAction) {
        switch action {
        case .complain(let message): complain(message)
        case .beginType:
            typeStart = place
            isTypeMissing = false
        case .checkType: checkType()
        }
    }

    private mutating func checkType() {
        let name = isTypeMissing ? "<missing IDENTIFIER>" : tokens[typeStart..<place].map(\.text).joined()
        guard TypeName(rawValue: name) == nil else { return }
        let types = TypeName.allCases.map(\.rawValue).joined(separator: ",")
        complain(
            "An unsupported type identifier was used with the 'is' operator. Received \(name). Expected one of \(types)"
        )
    }

    // MARK: Complaining

    mutating func complain(_ message: String, at place: Int? = nil) {
        issues.append(text.error(message, at: tokens[place ?? self.place].range))
    }

    /// Complains about what a first pass would end at, too.
    mutating func refuse(_ message: String, at place: Int? = nil) {
        firstFault = firstFault ?? place ?? self.place
        complain(message, at: place)
    }
}
