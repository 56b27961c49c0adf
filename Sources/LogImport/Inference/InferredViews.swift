// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Makes views of the visits of a user.
struct InferredViews {
    private let names: ActivityNames
    private let owned: OwnedObjects
    private let habits: VisitHabits
    private let rules: InferenceRules
    /// The number of the user.
    let user: Int32
    /// The last answer for each page of a list.
    private var lastAnswers: [ListPage: LoggedAnswer] = [:]
    private var pages = PageDocuments()
    /// The documents whose first image was loaded.
    private var loaded: Set<Int32> = []
    /// Those that were shown since the app was started.
    private var shown: Set<Int32> = []
    /// The documents that were opened.
    private(set) var opened: Set<Int32> = []
    private(set) var views: [SessionView] = []

    init(
        of user: Int32,
        visits: [Visit],
        names: ActivityNames,
        owned: OwnedObjects,
        habits: VisitHabits,
        rules: InferenceRules
    ) {
        (self.user, self.names, self.owned, self.habits, self.rules) = (user, names, owned, habits, rules)
        for visit in visits { add(visit) }
    }

    private mutating func add(_ visit: Visit) {
        if visit.isAfterRelaunch {
            append(.relaunch, at: visit.start)
            shown = []
        }
        let shown = documents(shownIn: visit)
        let new = shown.filter { !loaded.contains($0) }
        let list = visit.answer.flatMap { page(of: visit, answer: $0, shown: shown) }
        if list != nil || !shown.isEmpty {
            let posts = shown.map { names.documents[Int($0)] }
            append(.showPosts(SessionView.ShownPosts(posts, list: list)), at: visit.start)
        }
        loaded.formUnion(shown)
        self.shown.formUnion(shown)
        for opening in visit.openings { open(opening.document, at: opening.start) }
        guard !habits.hasOpenings, habits.listsLoadingAll.contains(visit.list) else { return }
        // Who sees a post again does not open it again.
        for document in new where isOpened(document) { open(document, at: visit.end) }
    }

    private mutating func page(of visit: Visit, answer: LoggedAnswer, shown: [Int32]) -> SessionView.List? {
        guard let list = answer.list else { return nil }
        guard answer.kind != .objects else {
            return SessionView.List(
                name: names.lists[list],
                page: visit.page,
                byteCount: answer.byteCount,
                documentReads: 0,
                isOfObjects: true,
                key: String(list)
            )
        }
        let last = lastAnswers.updateValue(answer, forKey: visit.listPage)
        let seen = Set(shown)
        return SessionView.List(
            name: names.lists[list],
            page: visit.page,
            byteCount: answer.byteCount,
            documentReads: answer.documentReads,
            key: String(list),
            changes: last.map(answer.changes),
            depth: answer.documents.lastIndex(where: seen.contains).map { $0 + 1 }
        )
    }

    /// The documents whose first image was on the screen.
    private mutating func documents(shownIn visit: Visit) -> [Int32] {
        guard visit.answer != nil else {
            // Without a list, the further images of a post that was shown before are those of an opened one.
            let opened = visit.openings.map(\.document)
            return visit.listed + opened.filter { !visit.listed.contains($0) && !shown.contains($0) }
        }
        let listed = Set(visit.listed)
        return pages.documents(of: visit).filter { document in
            guard owned.objects[document] != nil else { return false }
            return listed.contains(document) || habits.appKeepsImages && loaded.contains(document)
        }
    }

    /// Where lists load all images, no request says which posts were opened: some are taken, by their names.
    private func isOpened(_ document: Int32) -> Bool {
        guard owned.objects[document]?.count ?? 0 > 1 else { return false }
        let hash = "\(user) \(names.documents[Int(document)])".utf8CString.withUnsafeBytes { ByteHash.hash($0) }
        return Int(hash % 100) < rules.openedPercent
    }

    private mutating func open(_ document: Int32, at time: Int64) {
        opened.insert(document)
        let name = names.documents[Int(document)]
        let owner = name.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        append(.openPost(owner: owner, post: name), at: time)
    }

    private mutating func append(_ action: SessionView.Action, at time: Int64) {
        views.append(
            SessionView(
                atMilliseconds: min((time - names.start) / 1_000, SessionView.atMillisecondsMax),
                client: names.users[Int(user)],
                action: action
            )
        )
    }
}

/// The names of what a log is about, by their numbers.
struct ActivityNames: Sendable {
    let users: [String]
    let documents: [String]
    let lists: [String]
    /// The time of the first event, in microseconds since 1970.
    let start: Int64

    init(_ activity: LoggedActivity, users: LoggedUsers) {
        self.users = users.names
        documents = activity.documents.map(\.path)
        lists = activity.lists.map(\.name)
        start = activity.start ?? 0
    }
}
