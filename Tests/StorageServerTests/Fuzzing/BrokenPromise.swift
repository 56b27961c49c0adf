// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A broken promise of a parser.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Throws unless what must hold does.
func promise(_ description: String, _ holds: Bool) throws(BrokenPromise) {
    guard holds else { throw BrokenPromise(description: description) }
}
