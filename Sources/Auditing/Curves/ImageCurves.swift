// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation
import FeedClient

/// The misses of caches of growing sizes, for the images that a strategy asks for; each user has a cache.
///
/// The sizes are steps of a ladder that does not depend on the log, so that the curves of a log's parts add up. From a size on
/// at which a cache holds all that its user asks for, and takes in the largest of it, nothing changes any more.
package struct ImageCurves: Sendable, Hashable, Codable {
    /// The answers of a policy's caches, step by step.
    struct Line: Sendable, Hashable, Codable {
        let policy: String
        var tallies: [CacheTally]
    }

    /// Which sizes are simulated.
    package enum Extent: Sendable, Hashable {
        /// Those that are drawn.
        case drawn
        /// All that other parts of the log may draw.
        case whole
    }

    /// The policies that are drawn.
    static let policies = [SimulatedPolicy.client(.lru), .client(.sieve), .client(.s3FIFO), .client(.gdsf), .belady]
    /// The share of the largest size that the smallest one that is drawn has: one part of this many.
    private static let drawnDivisor = 20.0
    /// The smallest size.
    private static let smallest = 16.0 * 1_024
    /// Three steps double a size, nearly.
    private static let ratio = 1.26
    /// S3-FIFO takes in nothing larger than a tenth of its size.
    private static let largestObjectShare: Int64 = 11
    /// The largest size, beyond any phone's.
    private static let stepCountMax = 120

    /// The strategy.
    package let strategy: String
    /// The step at which the lines begin.
    private let firstStep: Int
    /// The bytes of all images of the user who asks for most.
    private var footprintByteCount: Int64
    private(set) var lines: [Line]

    /// Holds policies against what a strategy's users ask for; `nil` when they ask for nothing.
    package init?(_ strategy: String, of traces: [any RequestTrace], _ extent: Extent = .drawn) throws {
        self.init(strategy, of: try TraceSummary(of: traces), extent)
        try add(traces)
    }

    /// Begins with the sizes for what all of a strategy's users ask for; `nil` when they ask for nothing.
    init?(_ strategy: String, of summary: TraceSummary, _ extent: Extent) {
        guard summary.footprintByteCount > 0 else { return nil }
        self.strategy = strategy
        footprintByteCount = summary.footprintByteCount
        let drawn = Self.drawn(footprintByteCount)
        firstStep = extent == .drawn ? drawn.lowerBound : 0
        let settled = max(footprintByteCount, Self.largestObjectShare * summary.largestByteCount)
        let lastStep = extent == .drawn ? drawn.upperBound : Self.step(reaching: Double(settled))
        let tallies = (firstStep...lastStep).map { _ in CacheTally() }
        lines = Self.policies.map { Line(policy: $0.name, tallies: tallies) }
    }

    /// Holds the policies against what some of the users ask for.
    mutating func add(_ traces: [any RequestTrace]) throws {
        let sizes = lines[0].tallies.indices.map { Self.size(firstStep + $0) }
        let points = try MissRatioCurves(of: traces, policies: Self.policies, sizes: sizes).points
        for (index, point) in points.enumerated() {
            lines[index / sizes.count].tallies[index % sizes.count].add(point.tally)
        }
    }

    /// Adds the curves of another part of the log; both must be whole.
    mutating func add(_ other: ImageCurves) {
        for (index, line) in zip(lines.indices, other.lines) {
            let count = max(lines[index].tallies.count, line.tallies.count)
            lines[index].tallies = (0..<count).map { step in
                var tally = lines[index].tally(step)
                tally.add(line.tally(step))
                return tally
            }
        }
        footprintByteCount = max(footprintByteCount, other.footprintByteCount)
    }

    /// The sizes that are drawn.
    var sizes: [Int] { Self.drawn(footprintByteCount).map(Self.size) }

    /// The answers of each policy's caches at the sizes that are drawn.
    var drawnLines: [Line] {
        let steps = Self.drawn(footprintByteCount)
        return lines.map { line in Line(policy: line.policy, tallies: steps.map { line.tally($0 - firstStep) }) }
    }

    /// Whether curves that were read can be ones of a whole ladder.
    var isPlausible: Bool {
        firstStep == 0 && lines.map(\.policy) == Self.policies.map(\.name)
            && StrategyPart.range.contains(footprintByteCount) && footprintByteCount > 0
            && lines.allSatisfy { line in
                (1...Self.stepCountMax + 1).contains(line.tallies.count) && line.tallies.allSatisfy(\.isPlausible)
            }
    }

    /// The steps from a share of all that a user asks for to all of it.
    private static func drawn(_ footprintByteCount: Int64) -> ClosedRange<Int> {
        let footprint = Double(footprintByteCount)
        return step(reaching: footprint / drawnDivisor)...step(reaching: footprint)
    }

    private static func step(reaching byteCount: Double) -> Int {
        (0..<stepCountMax).first { Double(size($0)) >= byteCount } ?? stepCountMax
    }

    /// Powers by multiplication: the same on every machine.
    private static func size(_ step: Int) -> Int {
        Int((0..<step).reduce(smallest) { size, _ in size * ratio }.rounded(.up))
    }
}

extension ImageCurves.Line {
    /// The answer at a step; beyond the last nothing changes.
    fileprivate func tally(_ step: Int) -> CacheTally { tallies[min(step, tallies.count - 1)] }
}

extension CacheTally {
    fileprivate var isPlausible: Bool {
        [requestCount, hitCount, byteCount, hitByteCount].allSatisfy(StrategyPart.range.contains)
            && hitCount <= requestCount && hitByteCount <= byteCount
    }
}
