// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Where the values of a JSON text begin.
struct JSONPlaces: Sendable {
    private var path: [String] = []
    private var offsets: [[String]: Int] = [:]

    mutating func enter(_ name: String) { path.append(name) }
    mutating func leave() { path.removeLast() }
    mutating func begin(at offset: Int) { offsets[path] = offset }

    /// Where the value at the end of a path begins: keys of objects, and the numbers of elements of arrays.
    func offset(of path: [String]) -> Int? { offsets[path] }
}
