// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// URLs with a scheme and, for those of the web, a host.
enum AbsoluteURL {
    /// Whether a text is one, as far as the WHATWG's URL parser would take it.
    static func isOne(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return false }
        let rest = text[text.index(after: colon)...]
        guard ["http", "https", "ftp", "ws", "wss"].contains(scheme) else { return true }
        let authority = rest.drop { $0 == "/" || $0 == "\\" }.prefix { !"/?#\\".contains($0) }
        return !authority.isEmpty && !authority.contains(where: { " <>^|%".contains($0) })
    }
}
