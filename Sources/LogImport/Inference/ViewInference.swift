// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Infers the views of a log's users, a group of users at a time.
struct ViewInference: Sendable {
    private let names: ActivityNames
    /// The tags of the lists, by their numbers.
    private let tags: [Int32?]
    private let owned: OwnedObjects
    private let events: UserEvents
    private let habits: VisitHabits
    private let rules: InferenceRules

    init(
        _ activity: LoggedActivity,
        users: LoggedUsers,
        owned: OwnedObjects,
        events: UserEvents,
        habits: VisitHabits,
        rules: InferenceRules
    ) {
        (names, tags) = (ActivityNames(activity, users: users), activity.lists.map(\.tag))
        (self.owned, self.events, self.habits, self.rules) = (owned, events, habits, rules)
    }

    /// The number of groups of users.
    var groupCount: Int { events.groupCount }

    /// Hands out the visits of each user of a group, and the views that they are taken for.
    func read(group number: Int, _ body: ([Visit], InferredViews) -> Void) throws(SessionLogError) {
        try events.read(group: number) { (user, events) throws(SessionLogError) in
            let visits = VisitSplitter.visits(
                of: events,
                owned: owned,
                rules: rules,
                listsLoadingAll: habits.listsLoadingAll,
                tags: tags
            )
            let views = InferredViews(
                of: user,
                visits: visits,
                names: names,
                owned: owned,
                habits: habits,
                rules: rules
            )
            body(visits, views)
        }
    }
}
