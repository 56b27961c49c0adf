// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The URL of an app, to which a browser is sent with parameters.
struct AppURL {
    /// As it can be in a header field: without spaces and bytes beyond ASCII.
    let text: String

    private static let refusedSchemes: Set<String> = ["data", "javascript", "vbscript"]

    /// Whether a browser may be sent there: to a URL with a scheme that runs nothing, or to a path.
    static func canBeOpened(_ url: String) -> Bool {
        if url.hasPrefix("/") { return true }
        guard AbsoluteURL.isOne(url) else { return false }
        return !refusedSchemes.contains(url.prefix { $0 != ":" }.lowercased())
    }

    /// Takes a URL that a browser may be sent to.
    init(_ url: String) {
        var text = ""
        for byte in url.utf8 {
            // All that a header field cannot hold, and no browser would send.
            if byte <= 0x20 || byte >= 0x7F {
                text += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        self.text = text
    }

    /// The URL with parameters in the place of those of their names.
    func adding(_ parameters: [(name: String, value: String)]) -> AppURL {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let sides = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let names = Set(parameters.map(\.name))
        let kept = (sides.count == 2 ? sides[1] : "").split(separator: "&").filter { pair in
            !names.contains(PercentCoding.decode(pair.prefix { $0 != "=" }, plusIsSpace: true) ?? "")
        }
        let added = parameters.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
        let query = (kept.map(String.init) + added).joined(separator: "&")
        return AppURL("\(sides[0])?\(query)" + (parts.count == 2 ? "#\(parts[1])" : ""))
    }
}
