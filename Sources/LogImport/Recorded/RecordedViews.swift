// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Makes views of visits.
struct RecordedViews {
    private struct Pair: Hashable {
        let user: Int32
        let document: Int32
    }

    private struct Page: Hashable {
        let user: Int32
        let list: Int
        let number: Int
    }

    private let activity: RecordedActivity
    private let owned: OwnedObjects
    private let habits: VisitHabits
    private let rules: InferenceRules
    private let start: Int64
    /// The user's last answer for each page of a list.
    private var lastAnswers: [Page: Int] = [:]
    /// The documents whose first image each user has loaded.
    private var loaded: Set<Pair> = []
    private var views: [SessionView] = []

    init(_ activity: RecordedActivity, owned: OwnedObjects, habits: VisitHabits, rules: InferenceRules) {
        (self.activity, self.owned, self.habits, self.rules) = (activity, owned, habits, rules)
        start = activity.events.map(\.time).min() ?? 0
    }

    /// The views in the order of their times; those of one time stay in the order of their visits.
    var inOrder: [SessionView] { views.sorted { $0.atMilliseconds < $1.atMilliseconds } }

    mutating func add(_ visit: RecordedVisit) {
        if visit.isAfterRelaunch { append(.relaunch, of: visit, at: visit.start) }
        let shown = shown(in: visit)
        let answer = visit.answer.map { activity.answers[$0] }
        let list = visit.answer.flatMap { page(of: visit, answer: $0, shown: shown) }
        if list != nil || !shown.isEmpty {
            append(.showPosts(SessionView.ShownPosts(shown.map(name), list: list)), of: visit, at: visit.start)
        }
        for document in shown { loaded.insert(Pair(user: visit.user, document: document)) }
        for opening in visit.openings { open(opening.document, of: visit, at: opening.start) }
        guard !habits.hasOpenings, let number = answer?.list, habits.listsLoadingAll.contains(number) else { return }
        for document in shown where isOpened(document, by: visit.user) { open(document, of: visit, at: visit.end) }
    }

    private mutating func page(of visit: RecordedVisit, answer number: Int, shown: [Int32]) -> SessionView.List? {
        let answer = activity.answers[number]
        guard let list = answer.list else { return nil }
        let last = lastAnswers.updateValue(number, forKey: Page(user: visit.user, list: list, number: visit.page))
        let seen = Set(shown)
        return SessionView.List(
            name: activity.lists[list].name,
            page: visit.page,
            byteCount: answer.byteCount,
            documentReads: answer.documentReads,
            key: String(list),
            changes: last.map { $0 == number ? 0 : answer.changes(since: activity.answers[$0]) },
            depth: answer.documents.lastIndex(where: seen.contains).map { $0 + 1 }
        )
    }

    /// The documents whose first image was on the screen.
    private func shown(in visit: RecordedVisit) -> [Int32] {
        guard let answer = visit.answer.map({ activity.answers[$0] }) else {
            // Without a list, the further images of a post that was shown before are those of an opened one.
            let opened = visit.openings.map(\.document)
            return visit.listed
                + opened.filter { document in
                    !visit.listed.contains(document) && !loaded.contains(Pair(user: visit.user, document: document))
                }
        }
        let listed = Set(visit.listed)
        return answer.documents.filter { document in
            guard owned.objects[document] != nil else { return false }
            return listed.contains(document)
                || habits.appKeepsImages && loaded.contains(Pair(user: visit.user, document: document))
        }
    }

    /// Where lists load all images, no request says which posts were opened: some are taken, by their names.
    private func isOpened(_ document: Int32, by user: Int32) -> Bool {
        guard owned.objects[document]?.count ?? 0 > 1 else { return false }
        let hash = "\(user) \(name(document))".utf8CString.withUnsafeBytes { ByteHash.hash($0) }
        return Int(hash % 100) < rules.openedPercent
    }

    private func name(_ document: Int32) -> String { activity.documents[Int(document)].path }

    private mutating func open(_ document: Int32, of visit: RecordedVisit, at time: Int64) {
        let name = name(document)
        let owner = name.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        append(.openPost(owner: owner, post: name), of: visit, at: time)
    }

    private mutating func append(_ action: SessionView.Action, of visit: RecordedVisit, at time: Int64) {
        views.append(
            SessionView(
                atMilliseconds: min((time - start) / 1_000, SessionView.atMillisecondsMax),
                client: activity.users[Int(visit.user)],
                action: action
            )
        )
    }
}
