// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Turns the text of an ``ObjectGlob`` into steps.
struct GlobCompiler {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var steps: [GlobStep] = []

    init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    mutating func compile() throws(ObjectGlob.Failure) -> [GlobStep] {
        try compileSequence(depth: 0)
        steps.append(.end)
        return steps
    }

    /// Compiles up to the end, or within braces up to the `,` or `}` that ends an alternative.
    private mutating func compileSequence(depth: Int) throws(ObjectGlob.Failure) {
        while index < scalars.count {
            let scalar = scalars[index]
            if depth > 0, scalar == "," || scalar == "}" { return }
            switch scalar {
            case "*": compileStars()
            case "[": try compileBracket()
            case "{": try compileBraces(depth: depth + 1)
            case "?": append(.inSegment)
            case "\\":
                index += 1
                guard index < scalars.count else { throw .danglingEscape }
                append(.exactly(scalars[index]))
            default: append(.exactly(scalar))
            }
        }
    }

    /// Adds a step for the character of the pattern that has just been read.
    private mutating func append(_ character: GlobCharacter) {
        steps.append(.one(character))
        index += 1
    }

    private mutating func compileStars() {
        let start = index
        while index < scalars.count, scalars[index] == "*" { index += 1 }
        guard index - start > 1 else { return appendLoop(over: .inSegment) }
        let beginsSegment = start == 0 || scalars[start - 1] == "/"
        guard beginsSegment, index < scalars.count, scalars[index] == "/" else { return appendLoop(over: .any) }
        index += 1
        let fork = reserveStep()
        appendLoop(over: .any)
        steps.append(.one(.exactly("/")))
        steps[fork] = .fork(fork + 1, steps.count)
    }

    private mutating func appendLoop(over character: GlobCharacter) {
        let start = steps.count
        steps += [.fork(start + 1, start + 3), .one(character), .jump(start)]
    }

    /// Keeps a place for a step whose target is not known yet.
    private mutating func reserveStep() -> Int {
        steps.append(.end)
        return steps.count - 1
    }

    private mutating func compileBraces(depth: Int) throws(ObjectGlob.Failure) {
        guard depth <= ObjectGlob.depthMax else { throw .tooDeep }
        var exits: [Int] = []
        while true {
            index += 1  // the brace or the comma
            let fork = reserveStep()
            try compileSequence(depth: depth)
            guard index < scalars.count else { throw .unclosedBrace }
            let isLast = scalars[index] == "}"
            exits.append(reserveStep())
            steps[fork] = isLast ? .jump(fork + 1) : .fork(fork + 1, steps.count)
            if isLast { break }
        }
        index += 1
        for exit in exits { steps[exit] = .jump(steps.count) }
    }

    private mutating func compileBracket() throws(ObjectGlob.Failure) {
        index += 1
        let isNegated = index < scalars.count && (scalars[index] == "!" || scalars[index] == "^")
        if isNegated { index += 1 }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while true {
            guard index < scalars.count else { throw .unclosedBracket }
            if scalars[index] == "]" { break }
            ranges.append(try bracketRange())
        }
        guard !ranges.isEmpty else { throw .emptyBracket }
        append(.among(ranges, isNegated: isNegated))
    }

    /// Reads one character, or two with a `-` between them; a `-` before the `]` stands for itself.
    private mutating func bracketRange() throws(ObjectGlob.Failure) -> ClosedRange<Unicode.Scalar> {
        let lower = try bracketCharacter()
        guard index + 1 < scalars.count, scalars[index] == "-", scalars[index + 1] != "]" else { return lower...lower }
        index += 1
        let upper = try bracketCharacter()
        guard lower <= upper else { throw .reversedRange }
        return lower...upper
    }

    private mutating func bracketCharacter() throws(ObjectGlob.Failure) -> Unicode.Scalar {
        if scalars[index] == "\\" { index += 1 }
        guard index < scalars.count else { throw .danglingEscape }
        defer { index += 1 }
        return scalars[index]
    }
}
