// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Makes ids for documents that are created without one.
package enum DocumentIDGenerator {
    /// SDKs and servers alike make 20 characters of this alphabet, about 119 bits.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    private static let length = 20

    /// Returns a fresh id from the system's randomness.
    package static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return randomID(using: &generator)
    }

    /// Returns an id from the given randomness.
    package static func randomID(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
    }
}
