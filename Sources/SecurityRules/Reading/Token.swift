// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The smallest unit of the grammar.
struct Token: Sendable {
    enum Kind: Sendable, Equatable {
        case word
        case integer
        case float
        case string
        case bytes
        /// A quote and what follows it, where no other quote closes the string.
        case unpaired
        /// The name behind `service`.
        case serviceName
        /// A slash with what follows it, such as `/users`.
        case pathSegment
        /// Anything of one or two characters that has a meaning.
        case mark
        case end
    }

    let kind: Kind
    let range: SourceRange
    let text: String
}
