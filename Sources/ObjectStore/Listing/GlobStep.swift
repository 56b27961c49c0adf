// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One step of a compiled ``ObjectGlob``.
enum GlobStep: Hashable, Sendable {
    /// Takes one character of the name and moves on to the next step.
    case one(GlobCharacter)
    /// Goes on at each of two steps.
    case fork(Int, Int)
    /// Goes on at another step.
    case jump(Int)
    /// The pattern ends.
    case end
}

/// The characters that one place of a pattern stands for.
enum GlobCharacter: Hashable, Sendable {
    case exactly(Unicode.Scalar)
    /// Every character but `/`.
    case inSegment
    case any
    /// One in, or not in, these ranges; `/` only where it is named.
    case among([ClosedRange<Unicode.Scalar>], isNegated: Bool)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .exactly(let own): scalar == own
        case .inSegment: scalar != "/"
        case .any: true
        case .among(let ranges, isNegated: false): ranges.contains { $0.contains(scalar) }
        case .among(let ranges, isNegated: true): scalar != "/" && !ranges.contains { $0.contains(scalar) }
        }
    }
}
