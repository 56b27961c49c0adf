// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Sequence<String> {
    /// The word that a misspelled one most likely stands for; `nil` where none is similar.
    ///
    /// Similar are words that up to a third of the letters, and two at most, inserted, removed, replaced or swapped with
    /// their neighbors make of it (Damerau, 1964).
    package func word(similarTo text: String) -> String? {
        let most = Swift.min(2, Swift.max(1, text.count / 3))
        let distances = map { (word: $0, distance: Self.distance(Array(text), Array($0))) }
        return distances.filter { $0.distance <= most }.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var least = Swift.min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = Swift.min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
