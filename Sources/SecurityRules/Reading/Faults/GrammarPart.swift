// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A piece of a grammar.
indirect enum GrammarPart: Sendable {
    case token(SymbolSet)
    case rule(GrammarRule)
    case action(GrammarAction)
    /// With parts that match the same tokens for looking ahead; without a common beginning, which would be followed once for
    /// each of them.
    case choice([[GrammarPart]], ahead: [[GrammarPart]])
    case optional([[GrammarPart]])
    case star([[GrammarPart]])
    case plus([[GrammarPart]])

    static func one(_ symbols: Symbol...) -> [GrammarPart] {
        symbols.map { symbol in
            var set: SymbolSet = []
            set.insert(symbol)
            return .token(set)
        }
    }
}

/// An act of the official parser between tokens.
enum GrammarAction: Sendable {
    /// Complains about the token ahead.
    case complain(String)
    /// Remembers where the name of a type begins.
    case beginType
    /// Refuses a name that no type has.
    case checkType
}
