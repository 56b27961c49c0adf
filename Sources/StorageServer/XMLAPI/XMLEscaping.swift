// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Text inside XML.
enum XMLEscaping {
    /// Replaces what XML would take for its own.
    ///
    /// Characters that XML 1.0 cannot hold, not even escaped, become references all the same, as in Amazon's and
    /// Google's answers: a client that has such names asks for `encoding-type=url`.
    static func escape(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // A reader makes one line feed of "\r\n" and a space of what is in an attribute, unless it is escaped.
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}":
                escaped += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
