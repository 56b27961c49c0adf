// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ObjectGlob {
    /// Whether the pattern stands for a name.
    package func matches(_ name: ObjectName) -> Bool {
        matches(name.description)
    }

    /// Whether the pattern stands for a text, such as a common prefix.
    package func matches(_ text: String) -> Bool {
        var current = GlobStates(stepCount: steps.count)
        var next = GlobStates(stepCount: steps.count)
        current.reach(0, steps)
        for scalar in text.unicodeScalars {
            guard !current.waiting.isEmpty else { return false }
            next.removeAll()
            for step in current.waiting {
                guard case .one(let character) = steps[step], character.contains(scalar) else { continue }
                next.reach(step + 1, steps)
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
    mutating func reach(_ first: Int, _ steps: [GlobStep]) {
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
