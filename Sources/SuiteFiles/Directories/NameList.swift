// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names for a warning, of which the first alone are kept: `a, b, c and 4 more`.
struct NameList: CustomStringConvertible {
    private static let shownCountMax = 3

    private var shown: [String] = []
    private(set) var count = 0

    init(_ names: some Sequence<String> = EmptyCollection()) {
        for name in names { append(name) }
    }

    mutating func append(_ name: String) {
        count += 1
        if shown.count < Self.shownCountMax { shown.append(name) }
    }

    var description: String {
        let rest = count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
