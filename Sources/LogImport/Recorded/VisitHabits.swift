// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The habits of an app, by all visits of a log.
struct VisitHabits: Sendable {
    /// Lists most of whose pages load more than the first image of most posts.
    private(set) var listsLoadingAll: Set<Int> = []
    /// Whether most images that a user had loaded before were not loaded again: the app keeps them.
    let appKeepsImages: Bool
    /// Whether the log has users who opened posts.
    let hasOpenings: Bool

    private struct Pair: Hashable {
        let user: Int32
        let document: Int32
    }

    init(_ activity: RecordedActivity, owned: OwnedObjects, rules: InferenceRules, events: [RecordedActivity.Event]) {
        var votes: [Int: Int] = [:]
        var seen: Set<Pair> = []
        var (again, kept, hasOpenings) = (0, 0, false)
        var splitter = VisitSplitter(activity, owned: owned, rules: rules)
        splitter.split(events) { visit in
            hasOpenings = hasOpenings || visit.openings.contains(where: \.isRead)
            guard let answer = visit.answer.map({ activity.answers[$0] }), let list = answer.list else { return }
            let listed = Set(visit.listed)
            if !visit.whole.isEmpty {
                let multiple = listed.count { owned.objects[$0]?.count ?? 0 > 1 }
                // Whether the other posts have more images is not known where no user loaded them: one post alone is an opened one.
                let isAll = 2 * visit.whole.count > multiple && (visit.whole.count > 1 || listed.count == 1)
                votes[list, default: 0] += isAll ? 1 : -1
            }
            for document in answer.documents where owned.objects[document] != nil {
                let isLoaded = listed.contains(document)
                let pair = Pair(user: visit.user, document: document)
                if seen.contains(pair) { if isLoaded { again += 1 } else { kept += 1 } }
                if isLoaded { seen.insert(pair) }
            }
        }
        listsLoadingAll = Set(votes.filter { $0.value > 0 }.keys)
        appKeepsImages = kept > again
        self.hasOpenings = hasOpenings
    }
}
