// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Text inside XML and HTML.
package enum Markup {
    /// Replaces the characters that markup would take for its own, in elements as in attributes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - replacement: The text in the place of another character; `nil` keeps it.
    /// - Returns: The text as it stands in markup.
    package static func escape(
        _ text: String,
        replacing replacement: (Unicode.Scalar) -> String? = { _ in nil }
    ) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default:
                if let other = replacement(scalar) { escaped += other } else { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }
}
