// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// Makes sessions of a kind from seeds: users who scroll a feed faster than it loads, come back, open posts.
struct ScriptGenerator {
    enum Kind: String, CaseIterable {
        /// Scrolling back and forth, relaunches between.
        case scrolling
        /// Those, with pictures that are replaced, tokens that are revoked, and own uploads.
        case changing
        /// Avatars under addresses that never change, looked at again and again, replaced now and then.
        case avatars
    }

    private static let pictureCount = 60
    private static let byteCounts = 20_000...200_000
    private static let userCount = 2
    private static let launchCount = 3
    private static let visitCount = 12

    private let kind: Kind
    private let seed: UInt64
    private var generator: SplitMix64

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        self.seed = seed
        generator = SplitMix64(seed: seed)
    }

    mutating func script() -> Script {
        let byteCounts = (0..<Self.pictureCount).map { _ in generator.integer(in: Self.byteCounts) }
        let users = (0..<Self.userCount).map { _ in steps(byteCounts) }
        return Script(name: "\(kind.rawValue) \(seed)", pictureByteCounts: byteCounts, users: users)
    }

    private mutating func steps(_ byteCounts: [Int]) -> [Step] {
        var steps: [Step] = []
        for launch in 0..<Self.launchCount {
            if launch > 0 { steps += [.wait(seconds: generator.integer(in: 60...7_200)), .relaunch] }
            for _ in 0..<Self.visitCount { steps += visit(byteCounts) }
        }
        return steps
    }

    private mutating func visit(_ byteCounts: [Int]) -> [Step] {
        let first = generator.integer(in: 0...Self.pictureCount - 8)
        if kind == .avatars { return avatarVisit(first) }
        var steps: [Step] = []
        // A fling: pictures that were on the screen for less time than they took.
        for picture in first..<first + generator.integer(in: 1...4) {
            steps.append(.glance(picture, kibibyteCount: generator.integer(in: 2...byteCounts[picture] / 1_024)))
        }
        if kind == .changing { steps += change(first) }
        let shown = generator.integer(in: 2...6)
        steps.append(.show(Array(first..<first + shown)))
        return steps
    }

    private mutating func avatarVisit(_ first: Int) -> [Step] {
        var steps = (first..<first + 4).map { Step.showUnversioned($0 / 6) }
        if generator.integer(in: 0...5) == 0 { steps.insert(.replace(first / 6), at: 2) }
        return steps
    }

    private mutating func change(_ picture: Int) -> [Step] {
        switch generator.integer(in: 0...5) {
        case 0: [.replace(picture)]
        case 1: [.changeToken(picture + 1)]
        case 2: [.upload(picture + 2)]
        default: []
        }
    }
}
