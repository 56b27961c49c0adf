// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The path and query of a request line, taken apart but not normalised: `a/../b` and `//` stay what they are.
package struct RequestTarget: Sendable {
    /// The path as sent, still percent-coded.
    package let path: Substring
    /// The query's names and values in order, decoded.
    package let query: [(name: String, value: String)]

    /// Returns `nil` when the query holds a broken escape.
    package init?(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        var items: [(name: String, value: String)] = []
        if parts.count == 2 {
            for pair in parts[1].split(separator: "&") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = PercentCoding.decode(sides[0], plusIsSpace: true),
                    let value = PercentCoding.decode(sides.count == 2 ? sides[1] : "", plusIsSpace: true)
                else { return nil }
                items.append((name, value))
            }
        }
        query = items
    }

    /// The first value of a query parameter.
    package subscript(name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
