// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The loads of one host: those that wait, by priority, and what runs.
struct HostQueue {
    /// What may run at a time.
    struct Limits {
        /// The most loads.
        var countMax: Int
        /// The most bytes of loads of a priority and those above it.
        var byteCountMax: Int
        /// The loads that run whatever their size.
        var countMin: Int

        /// Whether so many such loads as may run at all fit together.
        func areSmall(_ byteCount: Int) -> Bool { byteCount <= byteCountMax / countMax }
    }

    private struct Running {
        var count = 0
        var byteCount = 0
    }

    private struct Lane {
        private var ids: [Int] = []
        private var start = 0

        mutating func append(_ id: Int) { ids.append(id) }

        var first: Int? { start < ids.count ? ids[start] : nil }

        mutating func removeFirst() {
            start += 1
            guard start == ids.count else { return }
            ids.removeAll(keepingCapacity: true)
            start = 0
        }
    }

    private var lanes = ImagePriority.allCases.map { _ in Lane() }
    private var running = ImagePriority.allCases.map { _ in Running() }

    mutating func append(_ id: Int, _ priority: ImagePriority) { lanes[priority.rawValue].append(id) }

    /// Takes the next load, if there is a place for it; nobody overtakes one that has to wait for a place.
    ///
    /// `waitingByteCount` is the size of a load that still waits with the priority of its lane, 0 if it is unknown, and `nil`
    /// for one that waits no longer.
    mutating func popNext(_ limits: Limits, waitingByteCount: (Int, ImagePriority) -> Int?) -> Int? {
        for priority in ImagePriority.allCases.reversed() {
            while let id = lanes[priority.rawValue].first {
                if let byteCount = waitingByteCount(id, priority) {
                    guard hasPlace(for: byteCount, priority, limits) else { return nil }
                    running[priority.rawValue].count += 1
                    running[priority.rawValue].byteCount += byteCount
                    lanes[priority.rawValue].removeFirst()
                    return id
                }
                lanes[priority.rawValue].removeFirst()
            }
        }
        return nil
    }

    private func hasPlace(for byteCount: Int, _ priority: ImagePriority, _ limits: Limits) -> Bool {
        guard running.reduce(0, { $0 + $1.count }) < limits.countMax else { return false }
        if priority == .prefetch, running[priority.rawValue].count >= max(1, limits.countMax / 3) { return false }
        let rivals = running[priority.rawValue...]
        return limits.areSmall(byteCount) || rivals.reduce(0) { $0 + $1.count } < limits.countMin
            || rivals.reduce(byteCount) { $0 + $1.byteCount } <= limits.byteCountMax
    }

    /// Frees the place of a load of this size that was started with this priority.
    mutating func end(startedAs priority: ImagePriority, byteCount: Int) {
        running[priority.rawValue].count -= 1
        running[priority.rawValue].byteCount -= byteCount
    }
}
