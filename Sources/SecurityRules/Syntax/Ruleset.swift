// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The declarations of a file of rules.
struct Ruleset: Sendable {
    enum Version: Int, Sendable, CaseIterable {
        case one = 1
        case two = 2
    }

    var version = Version.one
    var functions: [FunctionDeclaration] = []
    var services: [ServiceDeclaration] = []
}

/// A declaration such as `service cloud.firestore { … }`.
struct ServiceDeclaration: Sendable {
    let name: String
    let nameRange: SourceRange
    let functions: [FunctionDeclaration]
    let matches: [MatchDeclaration]
    let range: SourceRange
}

/// A declaration such as `match /path { … }`.
struct MatchDeclaration: Sendable {
    let pattern: [PatternSegment]
    let functions: [FunctionDeclaration]
    let matches: [MatchDeclaration]
    let allows: [AllowDeclaration]
    let range: SourceRange
    let patternRange: SourceRange
}

/// A segment of a match's path.
struct PatternSegment: Sendable {
    enum Form: Sendable, Equatable {
        case literal(String)
        /// `{name}`, one segment.
        case capture(String)
        /// `{name=**}`, any number of segments.
        case glob(String)
    }

    let form: Form
    let range: SourceRange
    /// Of the variable.
    var nameRange: SourceRange?

    /// The segment as it is written.
    var text: String {
        switch form {
        case .literal(let name): name
        case .capture(let name): "{\(name)}"
        case .glob(let name): "{\(name)=**}"
        }
    }

    /// The variable that the segment binds.
    var name: String? {
        switch form {
        case .literal: nil
        case .capture(let name), .glob(let name): name
        }
    }
}

/// A declaration such as `allow read, write: if condition;`.
struct AllowDeclaration: Sendable {
    let methods: [(name: String, range: SourceRange)]
    /// `nil` where there is none, so that it always holds.
    let condition: Expression?
    /// With its parentheses.
    let conditionRange: SourceRange?
    let range: SourceRange
}

/// A declaration such as `function name(parameters) { let …; return …; }`.
struct FunctionDeclaration: Sendable {
    let name: String
    let nameRange: SourceRange
    let parameters: [(name: String, range: SourceRange)]
    let variables: [VariableDeclaration]
    let result: Expression
    let range: SourceRange
}

/// A declaration such as `let name = value;`.
struct VariableDeclaration: Sendable {
    /// Of the word `let`.
    let keywordRange: SourceRange
    let name: String
    let nameRange: SourceRange
    let value: Expression
}
