// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A pattern for the names of objects, as a listing's `matchGlob` gives it.
///
/// | in the pattern | in the name |
/// |---|---|
/// | `*` | any number of characters, none of them `/` |
/// | `**` | any number of characters |
/// | `**/` where a segment begins | any number of whole segments, none as well |
/// | `?` | one character, not `/` |
/// | `[abc]`, `[a-z]` | one of these |
/// | `[!abc]`, `[^a-z]` | one other, not `/` |
/// | `{a,b*}` | what one of the patterns stands for; they may nest |
/// | `\` and a character | that character |
///
/// A character is a Unicode scalar: two names that only look alike do not match. Source:
/// https://cloud.google.com/storage/docs/json_api/v1/objects/list#list-objects-and-prefixes-using-glob (2026-11).
///
/// A name is matched in one pass that follows all ways through the pattern at once, so the time is at most the product
/// of both lengths, whatever the pattern.
package struct ObjectGlob: Hashable, Sendable {
    /// The longest pattern, in bytes.
    package static let byteCountMax = 1_024
    /// How deep braces may nest.
    package static let depthMax = 16

    /// Why a text is not a pattern.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case empty
        case tooLong
        case tooDeep
        case unclosedBracket
        case emptyBracket
        case reversedRange
        case unclosedBrace
        case danglingEscape

        package var description: String {
            switch self {
            case .empty: "the pattern is empty"
            case .tooLong: "the pattern is longer than \(ObjectGlob.byteCountMax) bytes"
            case .tooDeep: "the pattern nests braces deeper than \(ObjectGlob.depthMax)"
            case .unclosedBracket: "a [ is not closed; write \\[ for the character"
            case .emptyBracket: "a [] holds no character"
            case .reversedRange: "a range in [] ends before it begins"
            case .unclosedBrace: "a { is not closed; write \\{ for the character"
            case .danglingEscape: "a \\ ends the pattern; write \\\\ for the character"
            }
        }
    }

    let steps: [GlobStep]

    /// The prefix of every matching name, to narrow the range of a listing.
    package let literalPrefix: String

    /// Reads a pattern.
    package init(_ pattern: String) throws(Failure) {
        guard !pattern.isEmpty else { throw .empty }
        guard pattern.utf8.count <= Self.byteCountMax else { throw .tooLong }
        var compiler = GlobCompiler(pattern)
        steps = try compiler.compile()
        literalPrefix = Self.literalPrefix(of: steps)
    }

    private static func literalPrefix(of steps: [GlobStep]) -> String {
        var prefix = String.UnicodeScalarView()
        for step in steps {
            guard case .one(.exactly(let scalar)) = step else { break }
            prefix.append(scalar)
        }
        return String(prefix)
    }
}

extension ObjectGlob {
    /// Whether the pattern stands for a name.
    package func matches(_ name: ObjectName) -> Bool {
        matches(name.description)
    }

    /// Whether the pattern stands for a text, such as a common prefix.
    package func matches(_ text: String) -> Bool {
        var current = GlobStates(stepCount: steps.count)
        var next = GlobStates(stepCount: steps.count)
        current.reach(0, steps: steps)
        for scalar in text.unicodeScalars {
            guard !current.waiting.isEmpty else { return false }
            next.removeAll()
            for step in current.waiting {
                guard case .one(let character) = steps[step], character.contains(scalar) else { continue }
                next.reach(step + 1, steps: steps)
            }
            swap(&current, &next)
        }
        return current.isAtEnd
    }
}

/// The steps at which a match may be, each once.
private struct GlobStates {
    /// The steps that wait for a character.
    private(set) var waiting: [Int] = []
    private(set) var isAtEnd = false
    /// The round in which a step was reached last.
    private var reached: [Int]
    private var round = 1
    private var open: [Int] = []

    init(stepCount: Int) {
        reached = Array(repeating: 0, count: stepCount)
    }

    mutating func removeAll() {
        waiting.removeAll(keepingCapacity: true)
        isAtEnd = false
        round += 1
    }

    /// Adds a step and all that can be reached from it without a character.
    mutating func reach(_ first: Int, steps: [GlobStep]) {
        open.append(first)
        while let step = open.popLast() {
            guard reached[step] != round else { continue }
            reached[step] = round
            switch steps[step] {
            case .one: waiting.append(step)
            case .fork(let one, let other): open += [one, other]
            case .jump(let target): open.append(target)
            case .end: isAtEnd = true
            }
        }
    }
}
