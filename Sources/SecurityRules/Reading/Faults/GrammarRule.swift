// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The rules of the official grammar, with the alternatives that it has for common faults.
///
/// Google does not publish it. It was found by asking the official emulator (1.19.9, 2026-11) about 26,448 altered files: it
/// yields the issues of nearly all, in their order. Which files compile is the business of ``RulesParser``.
enum GrammarRule: Int, CaseIterable, Sendable {
    case file, version, importing, service, match, matchPath, segment, allow, methods, condition, function, signature,
        parameters,
        body, variable, result
    case expression, operand, access, primary, elements, entries, path, pathPart, typeName

    /// Its alternatives.
    var alternatives: [[GrammarPart]] {
        switch self {
        case .file: Self.fileParts
        case .version: [GrammarPart.one(.rulesVersion, .assign, .string) + [.optional([GrammarPart.one(.semicolon)])]]
        case .importing: Self.importParts
        case .service: Self.serviceParts
        case .match: Self.matchParts
        case .matchPath: [[.plus([[.rule(.segment)]])]]
        case .segment: Self.segmentParts
        case .allow: Self.allowParts
        case .methods: Self.methodParts
        case .condition: Self.conditionParts
        case .function: Self.functionParts
        case .signature: Self.signatureParts
        case .parameters: [GrammarPart.one(.identifier) + [.star([GrammarPart.one(.comma, .identifier)])]]
        case .body: [[.star([[.rule(.variable)]]), .rule(.result)]]
        case .variable:
            [GrammarPart.one(.let, .identifier, .assign) + [.rule(.expression)] + GrammarPart.one(.semicolon)]
        case .result: [GrammarPart.one(.return) + [.rule(.expression), .optional([GrammarPart.one(.semicolon)])]]
        default: expressionAlternatives
        }
    }
}

extension GrammarRule {
    private static let fileParts: [[GrammarPart]] = [
        [
            .optional([[.rule(.version)]]), .star([[.rule(.importing)]]),
            .plus([[.rule(.function)], [.rule(.service)]]),
        ] + GrammarPart.one(.end)
    ]

    private static let importParts: [[GrammarPart]] = [
        GrammarPart.one(.import, .string) + [.optional([GrammarPart.one(.semicolon)])],
        GrammarPart.one(.import, .string, .identifier, .identifier) + [.optional([GrammarPart.one(.semicolon)])],
    ]

    private static let serviceParts: [[GrammarPart]] = [
        GrammarPart.one(.service, .serviceName, .openBrace) + [.plus([[.rule(.function)], [.rule(.match)]])]
            + GrammarPart.one(.closeBrace),
        GrammarPart.one(.service, .serviceName, .openBrace)
            + [.action(.complain("The 'service' body must contain at least one declaration."))]
            + GrammarPart.one(.closeBrace),
    ]

    private static let matchParts: [[GrammarPart]] = [
        GrammarPart.one(.match) + [.rule(.matchPath)] + GrammarPart.one(.openBrace)
            + [.plus([[.rule(.function)], [.rule(.match)], [.rule(.allow)]])] + GrammarPart.one(.closeBrace),
        GrammarPart.one(.match) + [.rule(.matchPath)] + GrammarPart.one(.openBrace)
            + [.action(.complain("The 'match' body must contain at least one declaration."))]
            + GrammarPart.one(.closeBrace),
        [.action(.complain("Missing 'match' keyword before path.")), .rule(.matchPath)]
            + GrammarPart.one(.openBrace, .closeBrace),
    ]

    private static let segmentParts: [[GrammarPart]] =
        [GrammarPart.one(.pathSegment)] + captureParts + [[slash] + GrammarPart.one(.slash)]

    static let slash = GrammarPart.action(
        .complain("Forward slash '/' found where identifier or binding expected.")
    )

    /// A segment that binds a variable.
    static let captureParts: [[GrammarPart]] = [
        GrammarPart.one(.slash, .openBrace, .identifier, .closeBrace),
        GrammarPart.one(.slash, .openBrace, .identifier, .assign) + [.token([.star, .doubleStar])]
            + GrammarPart.one(.closeBrace),
        GrammarPart.one(.slash, .openBrace, .identifier, .closeBrace)
            + [.action(.complain("Extra closing '}' in path."))] + GrammarPart.one(.closeBrace),
        GrammarPart.one(.slash, .openBrace, .identifier, .assign) + [.token([.star, .doubleStar])]
            + GrammarPart.one(.closeBrace) + [.action(.complain("Exra closing '}' in path."))]
            + GrammarPart.one(.closeBrace),
    ]

    private static let allowParts: [[GrammarPart]] = [
        GrammarPart.one(.allow)
            + [.rule(.methods), .optional([[.rule(.condition)]]), .optional([GrammarPart.one(.semicolon)])],
        GrammarPart.one(.allow) + [.action(.complain("Expected at least one 'operation' after 'allow'."))],
    ]

    private static let methodParts: [[GrammarPart]] = [
        GrammarPart.one(.identifier)
            + [
                .star([GrammarPart.one(.comma, .identifier)]),
                .optional([[.action(.complain("Unexpected ','."))] + GrammarPart.one(.comma)]),
            ]
    ]

    private static let conditionParts: [[GrammarPart]] = [
        GrammarPart.one(.colon, .if) + [.rule(.expression)],
        [.action(.complain("Missing ':' before 'if' condition."))] + GrammarPart.one(.if) + [.rule(.expression)],
        GrammarPart.one(.colon)
            + [.action(.complain("Missing 'if' before conditional expression.")), .rule(.expression)],
        GrammarPart.one(.colon, .if) + [.action(.complain("Missing conditional expression after 'if'."))],
    ]

    private static let functionParts: [[GrammarPart]] = {
        let body: [GrammarPart] = GrammarPart.one(.openBrace) + [.rule(.body)] + GrammarPart.one(.closeBrace)
        return [
            GrammarPart.one(.function, .identifier) + [.rule(.signature)] + body,
            GrammarPart.one(.function) + [.action(.complain("Missing 'function' id")), .rule(.signature)] + body,
            GrammarPart.one(.function, .identifier) + [.action(.complain("Missing 'function' signature"))] + body,
            GrammarPart.one(.function, .identifier) + [.rule(.signature)] + GrammarPart.one(.openBrace)
                + [.action(.complain("Missing 'function' body"))] + GrammarPart.one(.closeBrace),
        ]
    }()

    private static let signatureParts: [[GrammarPart]] = {
        let list: [GrammarPart] =
            GrammarPart.one(.openParenthesis) + [.optional([[.rule(.parameters)]])]
            + GrammarPart.one(.closeParenthesis)
        return [
            list,
            list + [.action(.complain("Extra closing ')' at the end of parameter list."))]
                + GrammarPart.one(.closeParenthesis),
        ]
    }()
}
