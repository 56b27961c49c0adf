// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tokens of a node by which the official emulator places it, and failures in it (1.19.9, 2026-11).
///
/// Neither brackets that close nor parentheses that close are a part of it.
struct TokenSpan: Sendable {
    /// The first token of the node, without parentheses around it.
    let start: SourceRange
    /// The outermost parenthesis before the node.
    var parenthesis: SourceRange?
    /// The operator, the name of a variable, member or function, or the type behind `is`.
    let name: SourceRange?
    /// Behind the last of the name and the parts.
    private let partsEnd: Int32

    init(start: SourceRange, name: SourceRange? = nil, partsEnd: Int = 0) {
        (self.start, self.name) = (start, name)
        self.partsEnd = Int32(max(partsEnd, name?.end ?? 0))
    }

    var first: SourceRange { parenthesis ?? start }
    var range: SourceRange { SourceRange(start: first.start, end: max(first.end, Int(partsEnd))) }
}
