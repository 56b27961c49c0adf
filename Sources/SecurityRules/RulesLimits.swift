// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The limits of the language.
///
/// (firebase.google.com/docs/firestore/security/rules-structure#security_rule_limits, 2026-11; the exact edges as the official
/// emulator 1.19.9 has them.)
enum RulesLimits {
    /// Expressions that one pass over the rules evaluates.
    static let expressionCountMax = 1_000
    /// Matches in one another, with that of the database.
    static let matchDepthMax = 11
    /// Segments of a path, with those of the database.
    static let pathLengthMax = 100
    /// Captures of a path.
    static let captureCountMax = 20
    /// Functions that call one another.
    static let callDepthMax = 20
    static let parameterCountMax = 7
    /// Documented as 10.
    static let variableCountMax = 11
}
