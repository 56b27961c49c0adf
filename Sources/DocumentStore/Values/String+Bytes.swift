// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Swift's comparisons equate canonically equivalent spellings (é as one scalar or two), which are different
// names and values to Firestore. These compare UTF-8 bytes.

extension String {
    func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    func precedesInBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Sequence<String> {
    func hasSameBytes(as other: some Sequence<String>) -> Bool {
        elementsEqual(other) { $0.hasSameBytes(as: $1) }
    }
}

extension [String: Value] {
    var sortedByName: [(key: String, value: Value)] {
        count < 2 ? Array(self) : sorted { $0.key.precedesInBytes($1.key) }
    }
}
