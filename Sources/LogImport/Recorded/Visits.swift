// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A page of a list, or images without one, that a user was shown, with the downloads that belong to it.
struct RecordedVisit: Sendable {
    let user: Int32
    /// Microseconds since 1970.
    let start: Int64
    /// The answer that brought the page; `nil` where the app had the documents already.
    let answer: Int?
    /// The page of the list, from 0.
    let page: Int
    /// Whether the app was started again before.
    let isAfterRelaunch: Bool
    private(set) var end: Int64
    /// The documents whose first image was downloaded, in this order.
    private(set) var listed: [Int32] = []
    /// The documents of which another image than the first was downloaded as a part of the list.
    private(set) var whole: Set<Int32> = []
    /// The documents that were opened, and when.
    private(set) var openings: [Opening] = []
    private var loaded: Set<OwnedObjects.Owner> = []

    /// An opened document.
    struct Opening: Sendable {
        let document: Int32
        let start: Int64
        fileprivate(set) var end: Int64
        /// Whether the document was read by itself, which says so; otherwise its images say it.
        fileprivate(set) var isRead = false
    }

    init(user: Int32, start: Int64, answer: Int?, page: Int, isAfterRelaunch: Bool) {
        (self.user, self.start, self.end, self.answer, self.page) = (user, start, start, answer, page)
        self.isAfterRelaunch = isAfterRelaunch
    }

    func hasLoaded(_ image: OwnedObjects.Owner) -> Bool { loaded.contains(image) }

    /// Adds a download; lists that load all images are left by one that comes a second time.
    mutating func add(_ image: OwnedObjects.Owner, at time: Int64, listLoadsAll: Bool, gap: Int64) {
        end = max(end, time)
        let isFirstTime = loaded.insert(image).inserted
        if isFirstTime, image.index == 0 { listed.append(image.document) }
        if image.index > 0 { whole.insert(image.document) }
        guard listLoadsAll ? !isFirstTime : image.index > 0 else { return }
        open(image.document, at: time, gap: gap)
    }

    /// Notes that a document was opened, once for all that comes within the gap.
    mutating func open(_ document: Int32, at time: Int64, gap: Int64, isRead: Bool = false) {
        end = max(end, time)
        if let last = openings.lastIndex(where: { $0.document == document }), time - openings[last].end <= gap {
            openings[last].end = time
            openings[last].isRead = openings[last].isRead || isRead
        } else {
            openings.append(Opening(document: document, start: time, end: time, isRead: isRead))
        }
    }
}

/// Splits the requests of all users into visits, in the order of time.
struct VisitSplitter {
    /// Lists that a user's screen shows at once, or that still load when the next is shown.
    private static let openCountMax = 4

    private struct User {
        var visits: [RecordedVisit] = []
        var lastTime: Int64?
        /// The pages of lists that were loaded last, by the lists' numbers.
        var pages: [Int: Int] = [:]
        var read: Set<Int32> = []
        var isAfterRelaunch = false

        mutating func begin(
            at time: Int64,
            of name: Int32,
            answer: Int?,
            page: Int,
            keeping countMax: Int,
            _ body: (RecordedVisit) -> Void
        ) {
            visits.append(
                RecordedVisit(user: name, start: time, answer: answer, page: page, isAfterRelaunch: isAfterRelaunch)
            )
            isAfterRelaunch = false
            if visits.count > countMax { body(visits.removeFirst()) }
        }
    }

    private let activity: RecordedActivity
    private let owned: OwnedObjects
    private let rules: InferenceRules
    private let listsLoadingAll: Set<Int>
    private var users: [Int32: User] = [:]
    private var lastReaders: [Int32: Int32] = [:]

    init(
        _ activity: RecordedActivity,
        owned: OwnedObjects,
        rules: InferenceRules,
        listsLoadingAll: Set<Int> = []
    ) {
        (self.activity, self.owned, self.rules) = (activity, owned, rules)
        self.listsLoadingAll = listsLoadingAll
    }

    /// Hands on each visit when it is over; `events` are in the order of time.
    mutating func split(_ events: [RecordedActivity.Event], _ body: (RecordedVisit) -> Void) {
        for event in events {
            switch event.subject {
            case .list(let answer): list(answer, by: event.user, at: event.time, body)
            case .documents(let answer): read(answer, by: event.user, at: event.time, body)
            case .download(let object): download(object, by: event.user, at: event.time, body)
            }
        }
        for user in users.values { for visit in user.visits { body(visit) } }
        users = [:]
    }

    private mutating func list(_ number: Int, by name: Int32, at time: Int64, _ body: (RecordedVisit) -> Void) {
        var user = entered(name, at: time, body)
        let answer = activity.answers[number]
        let list = answer.list ?? -1
        let page = answer.isContinued ? user.pages[list].map { $0 + 1 } ?? 0 : 0
        user.pages[list] = page
        user.read.formUnion(answer.documents)
        for document in answer.documents { lastReaders[document] = name }
        user.begin(at: time, of: name, answer: number, page: page, keeping: Self.openCountMax, body)
        users[name] = user
    }

    private mutating func read(_ number: Int, by name: Int32, at time: Int64, _ body: (RecordedVisit) -> Void) {
        var user = entered(name, at: time, body)
        for document in activity.answers[number].documents {
            lastReaders[document] = name
            let isKnown = !user.read.insert(document).inserted
            guard isKnown, owned.objects[document] != nil, !user.visits.isEmpty else { continue }
            let visit = place(of: document, in: user) ?? user.visits.count - 1
            user.visits[visit].open(document, at: time, gap: rules.viewGap, isRead: true)
        }
        users[name] = user
    }

    private mutating func download(_ object: Int, by asking: Int32, at time: Int64, _ body: (RecordedVisit) -> Void) {
        let owners = owned.owners[object]
        guard let first = owners.first else { return }
        // A loader of images may have no token: the image is for the user who read its document.
        let hasRead = owners.contains { users[asking]?.read.contains($0.document) == true }
        let name = hasRead ? asking : lastReader(of: owners) ?? asking
        var user = entered(name, at: time, body)
        for visit in user.visits.indices.reversed() {
            guard let answer = user.visits[visit].answer,
                let owner = owners.first(where: { activity.answers[answer].documents.contains($0.document) })
            else { continue }
            let loadsAll = activity.answers[answer].list.map(listsLoadingAll.contains) ?? false
            user.visits[visit].add(owner, at: time, listLoadsAll: loadsAll, gap: rules.viewGap)
            users[name] = user
            return
        }
        let owner = owners.first { user.read.contains($0.document) } ?? first
        let isOfLast = user.visits.last.map { last in
            last.answer == nil && time - last.end <= rules.viewGap && !last.hasLoaded(owner)
        }
        if isOfLast != true {
            user.begin(at: time, of: name, answer: nil, page: 0, keeping: Self.openCountMax, body)
        }
        user.visits[user.visits.count - 1].add(owner, at: time, listLoadsAll: false, gap: rules.viewGap)
        users[name] = user
    }

    private func lastReader(of owners: [OwnedObjects.Owner]) -> Int32? {
        owners.lazy.compactMap { lastReaders[$0.document] }.first
    }

    /// The last visit whose list has a document.
    private func place(of document: Int32, in user: User) -> Int? {
        user.visits.lastIndex { visit in
            visit.answer.map { activity.answers[$0].documents.contains(document) } ?? false
        }
    }

    /// The user at a time; after a long pause their app was started again.
    private mutating func entered(_ name: Int32, at time: Int64, _ body: (RecordedVisit) -> Void) -> User {
        var user = users.removeValue(forKey: name) ?? User()
        if let last = user.lastTime, time - last > rules.relaunchGap {
            for visit in user.visits { body(visit) }
            user = User()
            user.isAfterRelaunch = true
        }
        user.lastTime = time
        return user
    }
}
