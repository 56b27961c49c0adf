// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The habits of an app, by all visits of a log.
struct VisitHabits: Sendable {
    /// Lists most of whose pages load more than the first image of most posts, and ``Visit/withoutList`` where images that no
    /// list brings do.
    private(set) var listsLoadingAll: Set<Int> = []
    /// Whether most images that a user had loaded before were not loaded again: the app keeps them.
    private(set) var appKeepsImages = false
    /// Whether the log has users who opened posts.
    private(set) var hasOpenings = false
    /// The tags of the images that lists show.
    let tags: ListTags

    init(_ counts: HabitCounts) {
        tags = counts.tags
        listsLoadingAll = Set(counts.votes.filter { $0.value > 0 }.keys)
        appKeepsImages = counts.keptCount > counts.againCount
        hasOpenings = counts.hasOpenings
    }

    init(_ events: UserEvents, owned: OwnedObjects, rules: InferenceRules) throws(SessionLogError) {
        self.init(try HabitCounts(events, owned: owned, rules: rules))
    }
}

/// What speaks for a habit, of all users or of some; those of all are the sums.
struct HabitCounts: Sendable, Hashable, Codable {
    /// For each list how many pages, or without a list posts, were loaded whole, less those that were not.
    fileprivate(set) var votes: [Int: Int] = [:]
    fileprivate(set) var againCount = 0
    fileprivate(set) var keptCount = 0
    fileprivate(set) var hasOpenings = false
    /// Logs that are counted in parts have none.
    fileprivate(set) var tags = ListTags()

    private enum CodingKeys: CodingKey {
        case votes, againCount, keptCount, hasOpenings
    }

    init() {}

    init(_ events: UserEvents, owned: OwnedObjects, rules: InferenceRules) throws(SessionLogError) {
        let none = HabitTally(owned: owned)
        let queue = GroupQueue(count: events.groupCount)
        let tallies = try queue.onAllCores(startingWith: none) { (tally, group) throws(SessionLogError) in
            try events.read(group: group) { (_, events) throws(SessionLogError) in
                tally.add(VisitSplitter.visits(of: events, owned: owned, rules: rules))
            }
        }
        for tally in tallies { add(tally.counts) }
    }

    mutating func add(_ other: HabitCounts) {
        votes.merge(other.votes, uniquingKeysWith: +)
        againCount += other.againCount
        keptCount += other.keptCount
        hasOpenings = hasOpenings || other.hasOpenings
        tags.add(other.tags)
    }
}

/// Counts what speaks for a habit, user by user.
private struct HabitTally: Sendable {
    let owned: OwnedObjects
    private(set) var counts = HabitCounts()

    init(owned: OwnedObjects) { self.owned = owned }

    mutating func add(_ visits: [Visit]) {
        var seen: Set<Int32> = []
        var pages = PageDocuments()
        for visit in visits {
            if visit.openings.contains(where: \.isRead) { counts.hasOpenings = true }
            guard visit.answer?.list != nil else {
                voteWithoutList(visit)
                continue
            }
            vote(visit)
            counts.tags.add(visit)
            let listed = Set(visit.listed)
            for document in pages.documents(of: visit) where owned.objects[document] != nil {
                let isLoaded = listed.contains(document)
                if seen.contains(document) { if isLoaded { counts.againCount += 1 } else { counts.keptCount += 1 } }
                if isLoaded { seen.insert(document) }
            }
        }
    }

    private mutating func vote(_ visit: Visit) {
        guard !visit.whole.isEmpty else { return }
        let multiple = Set(visit.listed).count(where: hasSeveralImages)
        // Whether the other posts have more images is not known where no user loaded them: one post alone is an opened one.
        let isAll = 2 * visit.whole.count > multiple && (visit.whole.count > 1 || visit.listed.count == 1)
        counts.votes[visit.list, default: 0] += isAll ? 1 : -1
    }

    /// Images of one post alone may be those of an opened one.
    private mutating func voteWithoutList(_ visit: Visit) {
        guard visit.listed.count > 1 else { return }
        for document in visit.listed where hasSeveralImages(document) {
            counts.votes[Visit.withoutList, default: 0] += visit.whole.contains(document) ? 1 : -1
        }
    }

    private func hasSeveralImages(_ document: Int32) -> Bool { owned.objects[document]?.count ?? 0 > 1 }
}
