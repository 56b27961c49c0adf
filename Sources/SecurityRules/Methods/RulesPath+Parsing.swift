// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesPath {
    /// Reads a path: `a/b`, with captures in braces.
    static func parse(_ text: String) -> RulesValue {
        guard !text.isEmpty else { return .failure(.other("Empty Path Template is not allowed.")) }
        let names = (text.hasPrefix("/") ? text.dropFirst() : text[...])
            .split(separator: "/", omittingEmptySubsequences: false)
        var segments: [Segment] = []
        var captures: Set<String> = []
        for name in names {
            if name.allSatisfy(\.isWhitespace) { return invalid(text, "Empty segment is not allowed.") }
            guard name.hasPrefix("{") else {
                segments.append(.literal(String(name)))
                continue
            }
            guard name.hasSuffix("}") else { return invalid(text, "The capture segment is not closed.") }
            let inner = name.dropFirst().dropLast()
            let isGlob = inner.hasSuffix("=**")
            let variable = String(inner.hasSuffix("=*") ? inner.dropLast(2) : isGlob ? inner.dropLast(3) : inner)
            guard variable.isIdentifier else {
                return invalid(
                    text,
                    """
                    [Identifier [\(variable)] should start with letter, dollar sign, or underscore and should not start with \
                    digit and must not contain spaces.
                    """
                )
            }
            guard captures.insert(variable).inserted else {
                return .failure(.other("Variable \(variable) already exists in the PathTemplate."))
            }
            segments.append(isGlob ? .glob(variable, bound: nil) : .capture(variable, bound: nil))
        }
        return .path(RulesPath(segments))
    }

    private static func invalid(_ text: String, _ reason: String) -> RulesValue {
        .failure(.other("Invalid Path Template \(text). \(reason)"))
    }
}

extension String {
    fileprivate var isIdentifier: Bool {
        guard let first, first.isLetter || first == "$" || first == "_" else { return false }
        return allSatisfy { $0.isLetter || $0.isNumber || $0 == "$" || $0 == "_" }
    }
}
