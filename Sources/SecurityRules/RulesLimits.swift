// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The limits of the language.
///
/// (firebase.google.com/docs/firestore/security/rules-structure#security_rule_limits, 2026-11; the exact edges as the official
/// emulator 1.19.9 has them.)
enum RulesLimits {
    /// Expressions that one pass over the rules evaluates.
    static let expressionCountMax = 1_000
    /// Expressions that are evaluated within one another, through calls of functions.
    ///
    /// Our own: threads have 1 MiB of stack, and twice as many take it up in a build for tests.
    static let evaluationDepthMax = 300
    /// Levels of expressions behind which what a called function needs of its arguments is not looked for.
    ///
    /// Our own, for the same reason; beyond it a warning can be missing.
    static let typeDepthMax = 60
    /// Levels of an expression, with those of parentheses; not documented.
    static let expressionHeightMax = 99
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
