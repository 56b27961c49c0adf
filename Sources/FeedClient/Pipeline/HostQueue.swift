// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The loads of one host: those that wait, by priority, and what runs.
package struct HostQueue: Sendable {
    /// The loads that may run at a time.
    package struct Limits: Sendable, Hashable {
        /// The most loads.
        package var countMax: Int
        /// The most bytes of large loads of a priority and those above it.
        package var byteCountMax: Int
        /// The large loads that run whatever their size.
        package var countMin: Int

        /// Creates limits.
        package init(countMax: Int, byteCountMax: Int, countMin: Int) {
            self.countMax = countMax
            self.byteCountMax = byteCountMax
            self.countMin = countMin
        }

        /// Whether as many such loads as may run at all fit together.
        func isSmall(_ byteCount: Int) -> Bool { byteCount <= byteCountMax / countMax }
    }

    private struct Running: Sendable {
        var count = 0
        var largeCount = 0
        var largeByteCount = 0
    }

    private static let highestFirst: [ImagePriority] = ImagePriority.allCases.reversed()

    private let limits: Limits
    private var small = ImagePriority.allCases.map { _ in WaitingRow() }
    private var large = ImagePriority.allCases.map { _ in WaitingRow() }
    private var running = ImagePriority.allCases.map { _ in Running() }
    private var lastNumber = 0

    /// Creates an empty queue.
    package init(_ limits: Limits) { self.limits = limits }

    /// Lets a load wait; its size is 0 where it is not known.
    package mutating func append(_ id: Int, priority: ImagePriority, byteCount: Int) {
        lastNumber += 1
        let waiting = WaitingLoad(id: id, number: lastNumber, byteCount: byteCount)
        if limits.isSmall(byteCount) {
            small[priority.rawValue].append(waiting)
        } else {
            large[priority.rawValue].append(waiting)
        }
    }

    /// Takes the next load that still waits with the priority it was put in with, if there is a place for it.
    ///
    /// Of a priority the first goes first. A large one that has to wait for its place is overtaken by small ones alone.
    package mutating func popNext(isWaiting: (Int, ImagePriority) -> Bool) -> WaitingLoad? {
        guard running.reduce(0, { $0 + $1.count }) < limits.countMax else { return nil }
        var isLargeHeldUp = false
        for priority in Self.highestFirst {
            let lane = priority.rawValue
            if priority == .prefetch, running[lane].count >= max(1, limits.countMax / 3) { return nil }
            let firstSmall = small[lane].first { isWaiting($0.id, priority) }
            let firstLarge = large[lane].first { isWaiting($0.id, priority) }
            if let firstLarge, !hasPlace(forLarge: firstLarge.byteCount, priority: priority) { isLargeHeldUp = true }
            guard let next = Self.earlier(firstSmall, isLargeHeldUp ? nil : firstLarge) else { continue }
            start(next, in: lane)
            return next
        }
        return nil
    }

    private static func earlier(_ one: WaitingLoad?, _ other: WaitingLoad?) -> WaitingLoad? {
        guard let one, let other else { return one ?? other }
        return one.number < other.number ? one : other
    }

    private func hasPlace(forLarge byteCount: Int, priority: ImagePriority) -> Bool {
        let rivals = running[priority.rawValue...]
        return rivals.reduce(0) { $0 + $1.largeCount } < limits.countMin
            || rivals.reduce(byteCount) { $0 + $1.largeByteCount } <= limits.byteCountMax
    }

    private mutating func start(_ load: WaitingLoad, in lane: Int) {
        running[lane].count += 1
        if limits.isSmall(load.byteCount) {
            small[lane].removeFirst()
        } else {
            large[lane].removeFirst()
            running[lane].largeCount += 1
            running[lane].largeByteCount += load.byteCount
        }
    }

    /// Frees the place of a load of this size that was started with this priority.
    package mutating func end(startedAs priority: ImagePriority, byteCount: Int) {
        running[priority.rawValue].count -= 1
        guard !limits.isSmall(byteCount) else { return }
        running[priority.rawValue].largeCount -= 1
        running[priority.rawValue].largeByteCount -= byteCount
    }
}
