// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Makes ids and codes.
package struct AuthRandom: Sendable {
    private let next: @Sendable (_ upperBound: Int) -> Int

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    private static let idLetterCount = 62

    /// Creates a source.
    ///
    /// - Parameter next: Returns a number from 0 to below the bound; by default the system's.
    package init(_ next: @escaping @Sendable (_ upperBound: Int) -> Int = { Int.random(in: 0..<$0) }) {
        self.next = next
    }

    /// An id of letters and digits.
    func id(_ length: Int) -> String { text(length, of: Self.idLetterCount) }

    /// A code in the alphabet of base 64 for URLs.
    func code(_ length: Int) -> String { text(length, of: Self.letters.count) }

    /// A code of digits.
    func digits(_ count: Int) -> String { (0..<count).map { _ in String(next(10)) }.joined() }

    private func text(_ length: Int, of letterCount: Int) -> String {
        String((0..<length).map { _ in Self.letters[next(letterCount)] })
    }
}
