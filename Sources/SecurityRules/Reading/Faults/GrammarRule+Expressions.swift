// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension GrammarRule {
    /// The alternatives of the rules that make up expressions.
    var expressionAlternatives: [[GrammarPart]] {
        switch self {
        case .expression: Self.expressionParts
        case .operand: [[.choice(Self.operandParts, ahead: Self.operandPartsAhead)]]
        case .access: Self.accessParts
        case .primary: Self.primaryParts
        case .elements: Self.listParts([.rule(.expression)])
        case .entries: Self.listParts([.rule(.expression)] + GrammarPart.one(.colon) + [.rule(.expression)])
        case .path: [[.plus([[.rule(.pathPart)]])]]
        case .pathPart: Self.pathParts
        default: [GrammarPart.one(.identifier)]
        }
    }

    private static let operators: SymbolSet = [
        .and, .equal, .greater, .greaterOrEqual, .less, .lessOrEqual, .minus, .percent, .notEqual, .or, .plus, .slash,
        .star, .in,
    ]

    private static let expressionParts: [[GrammarPart]] = [
        [
            .choice(operandParts, ahead: operandPartsAhead),
            .star([
                [.token(operators), .rule(.operand)],
                GrammarPart.one(.is) + [.action(.beginType), .rule(.typeName), .action(.checkType)],
                GrammarPart.one(.question) + [.rule(.expression)] + GrammarPart.one(.colon) + [.rule(.expression)],
            ]),
        ]
    ]

    private static let increment = GrammarPart.action(
        .complain("Increment (++) and decrement (--) operators are not supported.")
    )

    private static let operandParts: [[GrammarPart]] = [
        [.rule(.access)],
        [.rule(.access), .token([.increment, .decrement]), increment],
        GrammarPart.one(.minus) + [.rule(.access)],
        [.token([.increment, .decrement]), increment, .rule(.access)],
        GrammarPart.one(.not) + [.rule(.operand)],
    ]

    private static let operandPartsAhead: [[GrammarPart]] =
        [[.rule(.access), .optional([[.token([.increment, .decrement])]])]] + operandParts.dropFirst(2)

    private static let member: SymbolSet = [
        .identifier, .allow, .false, .function, .if, .import, .in, .is, .let, .match, .null, .return, .service, .true,
        .reserved,
    ]

    private static let accessParts: [[GrammarPart]] = {
        let arguments: [GrammarPart] =
            GrammarPart.one(.openParenthesis) + [.optional([[.rule(.elements)]])]
            + GrammarPart.one(.closeParenthesis)
        let members = [GrammarPart.one(.dot) + [.token(member)], GrammarPart.one(.dot, .identifier) + arguments]
        return [
            [
                .rule(.primary),
                .star([[.choice(members + [index, slice], ahead: members + [anyIndex, sliceFromStart])]]),
            ]
        ]
    }()

    private static let index: [GrammarPart] =
        GrammarPart.one(.openBracket) + [.rule(.expression)] + GrammarPart.one(.closeBracket)

    private static let slice: [GrammarPart] =
        GrammarPart.one(.openBracket) + [.optional([[.rule(.expression)]])] + GrammarPart.one(.colon)
        + [.optional([[.rule(.expression)]])] + GrammarPart.one(.closeBracket)

    private static let anyIndex: [GrammarPart] =
        GrammarPart.one(.openBracket) + [.rule(.expression)]
        + [.optional([GrammarPart.one(.colon) + [.optional([[.rule(.expression)]])]])] + GrammarPart.one(.closeBracket)

    private static let sliceFromStart: [GrammarPart] =
        GrammarPart.one(.openBracket, .colon) + [.optional([[.rule(.expression)]])] + GrammarPart.one(.closeBracket)

    private static let primaryParts: [[GrammarPart]] = [
        [.token([.false, .null, .true, .integer, .float, .string, .bytes])],
        GrammarPart.one(.identifier),
        GrammarPart.one(.identifier, .openParenthesis) + [.optional([[.rule(.elements)]])]
            + GrammarPart.one(.closeParenthesis),
        GrammarPart.one(.openParenthesis) + [.rule(.expression)] + GrammarPart.one(.closeParenthesis),
        GrammarPart.one(.openBracket) + [.optional([[.rule(.elements)]])] + GrammarPart.one(.closeBracket),
        GrammarPart.one(.openBrace) + [.optional([[.rule(.entries)]])] + GrammarPart.one(.closeBrace),
        [.rule(.path)],
        GrammarPart.one(.unpairedDouble) + [.action(.complain("Missing a closing \""))],
        GrammarPart.one(.unpairedSingle) + [.action(.complain("Missing a closing '"))],
    ]

    private static func listParts(_ element: [GrammarPart]) -> [[GrammarPart]] {
        [element + [.star([GrammarPart.one(.comma) + element]), .optional([GrammarPart.one(.comma)])]]
    }

    private static let pathParts: [[GrammarPart]] =
        [GrammarPart.one(.pathSegment)] + captureParts + [
            GrammarPart.one(.slash, .dollar, .openParenthesis) + [.rule(.expression)]
                + GrammarPart.one(.closeParenthesis),
            [slash] + GrammarPart.one(.slash),
        ]
}
