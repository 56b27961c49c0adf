// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The loads of one host: those that wait, by priority, and the number of those that run.
struct HostQueue {
    private struct Lane {
        private var ids: [Int] = []
        private var start = 0

        mutating func append(_ id: Int) { ids.append(id) }

        mutating func popFirst() -> Int? {
            guard start < ids.count else {
                ids.removeAll(keepingCapacity: true)
                start = 0
                return nil
            }
            start += 1
            return ids[start - 1]
        }
    }

    private var lanes = ImagePriority.allCases.map { _ in Lane() }
    private(set) var runningCount = 0
    private var runningPrefetchCount = 0

    mutating func append(_ id: Int, _ priority: ImagePriority) { lanes[priority.rawValue].append(id) }

    /// Takes the next load that still waits with the priority of its lane, if there is a place for it.
    mutating func popNext(countMax: Int, isWaiting: (Int, ImagePriority) -> Bool) -> Int? {
        guard runningCount < countMax else { return nil }
        for priority in ImagePriority.allCases.reversed() {
            guard priority > .prefetch || runningPrefetchCount < max(1, countMax / 3) else { return nil }
            while let id = lanes[priority.rawValue].popFirst() {
                guard isWaiting(id, priority) else { continue }
                runningCount += 1
                if priority == .prefetch { runningPrefetchCount += 1 }
                return id
            }
        }
        return nil
    }

    /// Frees the place of a load that was started with this priority.
    mutating func end(startedAs priority: ImagePriority) {
        runningCount -= 1
        if priority == .prefetch { runningPrefetchCount -= 1 }
    }
}
