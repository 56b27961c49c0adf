// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A page of a list, or images without one, that a user was shown, with the downloads that belong to it.
struct Visit: Sendable {
    /// Microseconds since 1970.
    let start: Int64
    /// The answer that brought the page; `nil` where the app had the documents already.
    let answer: LoggedAnswer?
    /// The page of the list, from 0.
    let page: Int
    /// Whether the app was started again before.
    let isAfterRelaunch: Bool
    private(set) var end: Int64
    /// The documents whose first image was downloaded, in this order.
    private(set) var listed: [Int32] = []
    /// The documents of which another image than the first was downloaded as a part of the list.
    private(set) var whole: Set<Int32> = []
    /// The downloads that belong to it.
    private(set) var downloads: [Download] = []
    /// The documents that were opened, and when.
    private(set) var openings: [Opening] = []
    private var loaded: Set<OwnedObjects.Owner> = []

    /// A download of an image.
    struct Download: Sendable {
        let time: Int64
        let logged: LoggedDownload
        let image: OwnedObjects.Owner
        /// Whether it is taken for that of an opened post, and not for the list's.
        let isOfOpenedPost: Bool
    }

    /// An opened document.
    struct Opening: Sendable {
        let document: Int32
        let start: Int64
        fileprivate(set) var end: Int64
        /// Whether the document was read by itself, which says so; otherwise its images say it.
        fileprivate(set) var isRead = false
    }

    /// The number that visits without a list have in place of a list's.
    static let withoutList = -1

    /// The number of the list.
    var list: Int { answer?.list ?? Self.withoutList }

    var listPage: ListPage { ListPage(list: list, number: page) }

    init(start: Int64, answer: LoggedAnswer?, page: Int, isAfterRelaunch: Bool) {
        (self.start, self.end, self.answer, self.page) = (start, start, answer, page)
        self.isAfterRelaunch = isAfterRelaunch
    }

    func hasLoaded(_ image: OwnedObjects.Owner) -> Bool { loaded.contains(image) }

    /// Adds a download; lists that load all images are left by one that comes a second time, and all lists by one of another tag.
    mutating func add(
        _ logged: LoggedDownload,
        of image: OwnedObjects.Owner,
        at time: Int64,
        listLoadsAll: Bool,
        tag: Int32?,
        gap: Int64
    ) {
        end = max(end, time)
        let isFirstTime = loaded.insert(image).inserted
        if isFirstTime, image.index == 0 { listed.append(image.document) }
        if image.index > 0 { whole.insert(image.document) }
        let isOfOtherScreen = tag.map { logged.tag != 0 && logged.tag != $0 } ?? false
        let isOfOpenedPost = isOfOtherScreen || (listLoadsAll ? !isFirstTime : image.index > 0)
        downloads.append(Download(time: time, logged: logged, image: image, isOfOpenedPost: isOfOpenedPost))
        if isOfOpenedPost { open(image.document, at: time, gap: gap) }
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

/// Splits the events of a user into visits.
struct VisitSplitter {
    /// Lists that a user's screen shows at once, or that still load when the next is shown.
    private static let openCountMax = 4
    /// No user sees more posts without a list at once: behind one address there are several users then.
    private static let listedCountMax = 300

    private let owned: OwnedObjects
    private let rules: InferenceRules
    private let listsLoadingAll: Set<Int>
    private let tags: [Int32?]
    private var finished: [Visit] = []
    private var open: [Visit] = []
    private var lastTime: Int64?
    /// The pages of lists that were loaded last, by the lists' numbers.
    private var pages: [Int: Int] = [:]
    private var read: Set<Int32> = []
    private var isAfterRelaunch = false
    private var connections: RunningConnections

    private init(
        _ events: [ActivityEvent],
        owned: OwnedObjects,
        rules: InferenceRules,
        listsLoadingAll: Set<Int>,
        tags: [Int32?]
    ) {
        connections = RunningConnections(events)
        (self.owned, self.rules, self.listsLoadingAll, self.tags) = (owned, rules, listsLoadingAll, tags)
    }

    /// The visits of a user, in the order of their beginnings; `events` are in the order of time, and `tags` those of the lists.
    static func visits(
        of events: [ActivityEvent],
        owned: OwnedObjects,
        rules: InferenceRules,
        listsLoadingAll: Set<Int> = [],
        tags: [Int32?] = []
    ) -> [Visit] {
        var splitter = VisitSplitter(events, owned: owned, rules: rules, listsLoadingAll: listsLoadingAll, tags: tags)
        for event in events { splitter.take(event) }
        return splitter.finished + splitter.open
    }

    private mutating func take(_ event: ActivityEvent) {
        defer { connections.use(event.connection) }
        switch event.subject {
        case .answer(let answer) where answer.kind == .list || answer.kind == .objects:
            enter(at: event.time)
            list(answer, at: event.time)
        case .answer(let answer) where answer.kind == .documents:
            enter(at: event.time)
            read(answer, at: event.time)
        case .download(let download) where !owned.owners[download.object].isEmpty:
            enter(at: event.time)
            take(download, at: event.time)
        case .answer, .download, .takenBack: break
        }
    }

    /// After a long pause the app was started again, unless a connection from before continues.
    private mutating func enter(at time: Int64) {
        if let lastTime, time - lastTime > rules.relaunchGap, !connections.anyContinues(at: time) {
            finished += open
            (open, pages, read, isAfterRelaunch) = ([], [:], [], true)
        }
        lastTime = time
    }

    private mutating func begin(at time: Int64, answer: LoggedAnswer?, page: Int) {
        open.append(Visit(start: time, answer: answer, page: page, isAfterRelaunch: isAfterRelaunch))
        isAfterRelaunch = false
        if open.count > Self.openCountMax { finished.append(open.removeFirst()) }
    }

    private mutating func list(_ answer: LoggedAnswer, at time: Int64) {
        let list = answer.list ?? Visit.withoutList
        let page = answer.isContinued ? pages[list].map { $0 + 1 } ?? 0 : 0
        pages[list] = page
        read.formUnion(answer.documents)
        begin(at: time, answer: answer, page: page)
    }

    private mutating func read(_ answer: LoggedAnswer, at time: Int64) {
        for document in answer.documents {
            let isKnown = !read.insert(document).inserted
            guard isKnown, owned.objects[document] != nil, !open.isEmpty else { continue }
            // The last visit whose list has the document.
            let visit = open.lastIndex { $0.answer?.has(document) == true } ?? open.count - 1
            open[visit].open(document, at: time, gap: rules.viewGap, isRead: true)
        }
    }

    private mutating func take(_ download: LoggedDownload, at time: Int64) {
        let owners = owned.owners[download.object]
        for visit in open.indices.reversed() {
            guard let answer = open[visit].answer, let owner = owner(of: download.object, among: owners, in: answer)
            else { continue }
            add(download, of: owner, to: visit, at: time)
            return
        }
        let owner = owners.first { read.contains($0.document) } ?? owners[0]
        let isOfLast = open.last.map { last in
            last.answer == nil && time - last.end <= rules.viewGap && !last.hasLoaded(owner)
                && last.listed.count < Self.listedCountMax
        }
        if isOfLast != true { begin(at: time, answer: nil, page: 0) }
        add(download, of: owner, to: open.count - 1, at: time)
    }

    /// The document that an answer brought, or whose object a listing has.
    private func owner(
        of object: Int,
        among owners: [OwnedObjects.Owner],
        in answer: LoggedAnswer
    ) -> OwnedObjects.Owner? {
        if answer.kind == .objects, let list = answer.list {
            return owned.listings.list(list, has: object) ? owners.first : nil
        }
        return owners.first { answer.has($0.document) }
    }

    private mutating func add(
        _ download: LoggedDownload,
        of owner: OwnedObjects.Owner,
        to visit: Int,
        at time: Int64
    ) {
        let list = open[visit].list
        let tag = tags.indices.contains(list) ? tags[list] : nil
        let loadsAll = listsLoadingAll.contains(list)
        open[visit].add(download, of: owner, at: time, listLoadsAll: loadsAll, tag: tag, gap: rules.viewGap)
    }
}
