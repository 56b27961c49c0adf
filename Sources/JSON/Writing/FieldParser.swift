// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the grammar of ``FieldSelector``.
struct FieldParser {
    private let separators: Set<Character>
    private var rest: Substring

    init(_ text: String, separators: Set<Character>) {
        self.separators = separators
        rest = text[...]
    }

    /// Returns `nil` for what is not of the grammar.
    mutating func parse() -> FieldSelector? {
        guard let selector = fields(depth: 0), rest.isEmpty else { return nil }
        return selector
    }

    private mutating func fields(depth: Int) -> FieldSelector? {
        var selector = FieldSelector.nothing
        repeat {
            guard let (name, wanted) = field(depth: depth) else { return nil }
            selector.add(name, wanted)
        } while take(",")
        return selector
    }

    private mutating func field(depth: Int) -> (name: String, wanted: FieldSelector)? {
        guard depth < FieldSelector.depthMax, let name = segment() else { return nil }
        if takeSeparator() {
            guard let (inner, wanted) = field(depth: depth + 1) else { return nil }
            var selector = FieldSelector.nothing
            selector.add(inner, wanted)
            return (name, selector)
        }
        guard take("(") else { return (name, .everything) }
        guard let selector = fields(depth: depth + 1), take(")") else { return nil }
        return (name, selector)
    }

    /// A name, or `*` by itself.
    private mutating func segment() -> String? {
        skipSpace()
        let name = rest.prefix { !",() ".contains($0) && !separators.contains($0) }
        guard !name.isEmpty, name == "*" || !name.contains("*") else { return nil }
        rest = rest.dropFirst(name.count)
        skipSpace()
        return String(name)
    }

    private mutating func takeSeparator() -> Bool {
        guard let mark = rest.first, separators.contains(mark) else { return false }
        return take(mark)
    }

    private mutating func take(_ mark: Character) -> Bool {
        guard rest.first == mark else { return false }
        rest.removeFirst()
        skipSpace()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == " " }
    }
}
