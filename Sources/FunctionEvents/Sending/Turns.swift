// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Elements that are taken in the order in which they came.
struct Turns<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    /// The place of the first that waits; the places before are empty.
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[first].take()
        first += 1
        // More than half of the places are empty: the rest moves up.
        if first > elements.count / 2 {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}
