// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Gives the downloads of users their causes, one user after the other, and adds them up.
struct DownloadTally: Sendable {
    private enum Place: Hashable {
        /// By the first number of a list of this name.
        case list(Int, page: Int)
        case withoutList
        case openedPost
    }

    private struct Key: Hashable {
        let cause: RecordedCause
        let place: Place
        /// `nil` for answers.
        let object: Int?
    }

    private struct Amount {
        var byteCount: Int64 = 0
        var responseCount: Int64 = 0
        var documentReads: Int64 = 0

        mutating func add(_ other: Amount) {
            byteCount += other.byteCount
            responseCount += other.responseCount
            documentReads += other.documentReads
        }
    }

    /// A generation of an object.
    private struct Image: Hashable {
        let object: Int
        let generation: Int64
    }

    private let objects: [LoggedActivity.Object]
    private let lists: [LoggedActivity.List]
    /// For each list the first of its name: names are what reports have.
    private let firstOfName: [Int]
    private var amounts: [Key: Amount] = [:]

    init(_ activity: LoggedActivity) {
        (objects, lists) = (activity.objects, activity.lists)
        var known: [String: Int] = [:]
        firstOfName = lists.enumerated().map { number, list in
            let first = known[list.name] ?? number
            known[list.name] = first
            return first
        }
    }

    /// Adds the tally of other users.
    mutating func add(_ other: DownloadTally) {
        for (key, amount) in other.amounts { add(amount, to: key) }
    }

    /// Adds the visits of a user, with the documents that the user opened.
    mutating func add(_ visits: [Visit], opened: Set<Int32>) {
        for visit in visits {
            guard let answer = visit.answer else { continue }
            let key = Key(cause: .documents, place: place(of: visit), object: nil)
            add(Amount(byteCount: answer.byteCount, responseCount: 1, documentReads: answer.documentReads), to: key)
        }
        let placed = visits.flatMap { visit in
            visit.downloads.map { ($0, $0.isOfOpenedPost ? .openedPost : place(of: visit)) }
        }
        var user: [Image: LoadedImage] = [:]
        for (download, place) in placed.sorted(by: { $0.0.time < $1.0.time }) {
            add(download, at: place, of: &user, isOpened: opened.contains(download.image.document))
        }
    }

    /// An image that a user has loaded, or begun to.
    private struct LoadedImage {
        /// The bytes; ``whole`` for all of them, `nil` before the first.
        var byteCount: Int64?
        /// The cause and place of the last download, which its further bytes have, too.
        var last: Key?

        static let whole = Int64.max
    }

    private mutating func add(
        _ download: Visit.Download,
        at place: Place,
        of user: inout [Image: LoadedImage],
        isOpened: Bool
    ) {
        let logged = download.logged
        let first: RecordedCause = isOpened ? .opened : download.image.index == 0 ? .listed : .overFetched
        add(
            logged,
            first: Key(cause: first, place: place, object: logged.object),
            to: &user[Image(object: logged.object, generation: logged.generation), default: LoadedImage()]
        )
    }

    private mutating func add(_ logged: LoggedDownload, first: Key, to image: inout LoadedImage) {
        func add(_ byteCount: Int64, _ cause: RecordedCause, responseCount: Int64 = 1) {
            let key = Key(cause: cause, place: first.place, object: first.object)
            image.last = key
            self.add(Amount(byteCount: byteCount, responseCount: responseCount), to: key)
        }
        switch logged.outcome {
        case .cached: image.byteCount = LoadedImage.whole
        case .notModified:
            image.byteCount = LoadedImage.whole
            add(logged.byteCount, .revalidated)
        case .aborted: add(logged.byteCount, .aborted)
        case .failed: add(logged.byteCount, .failed)
        case .continued:
            guard let key = image.last else { return add(logged.byteCount, first.cause, responseCount: 0) }
            self.add(Amount(byteCount: logged.byteCount), to: key)
        case .whole, .part:
            let new = newByteCount(of: logged, loaded: &image.byteCount)
            if let new { add(new, first.cause) }
            if new != logged.byteCount { add(logged.byteCount - (new ?? 0), .again) }
        }
    }

    /// The bytes of a download that its user had not loaded; `nil` where all had been.
    ///
    /// The ranges of parts are in no log: as many bytes as the image has count as new.
    private func newByteCount(of download: LoggedDownload, loaded: inout Int64?) -> Int64? {
        let isWhole = download.outcome == .whole
        let byteCount = isWhole ? download.byteCount : max(download.byteCount, objects[download.object].byteCount)
        let known = loaded
        loaded = isWhole || known == LoadedImage.whole ? LoadedImage.whole : (known ?? 0) + download.byteCount
        guard let known else { return download.byteCount }
        return known < byteCount ? min(download.byteCount, byteCount - known) : nil
    }

    private mutating func add(_ amount: Amount, to key: Key) {
        amounts[key, default: Amount()].add(amount)
    }

    private func place(of visit: Visit) -> Place {
        visit.answer?.list.map { .list(firstOfName[$0], page: visit.page) } ?? .withoutList
    }

    /// The numbers of a sum that say what it is a sum of.
    static let keyCount = 4

    /// The sums as numbers, those of other users are added to: cause, list (or -1 without one, -2 of an opened post), page, object (or
    /// -1), bytes, responses and reads.
    var numbers: [[Int64]] {
        amounts.map { key, amount in
            let (list, page) =
                switch key.place {
                case .openedPost: (-2, 0)
                case .withoutList: (-1, 0)
                case .list(let number, let page): (number, page)
                }
            let cause = RecordedCause.allCases.firstIndex(of: key.cause) ?? 0
            return [cause, list, page, key.object ?? -1].map(Int64.init)
                + [amount.byteCount, amount.responseCount, amount.documentReads]
        }
    }

    /// Adds sums that are numbers; returns `false` where they are not of these lists and objects.
    mutating func add(_ numbers: [[Int64]]) -> Bool {
        for sum in numbers {
            guard sum.count == Self.keyCount + 3, let cause = Int(exactly: sum[0]),
                RecordedCause.allCases.indices.contains(cause),
                (-2..<Int64(lists.count)).contains(sum[1]), (-1..<Int64(objects.count)).contains(sum[3]),
                sum[4...].allSatisfy({ abs($0) <= Int64(1) << 53 }), let page = Int(exactly: sum[2])
            else { return false }
            let place: Place =
                sum[1] == -2 ? .openedPost : sum[1] == -1 ? .withoutList : .list(Int(sum[1]), page: page)
            let key = Key(
                cause: RecordedCause.allCases[cause],
                place: place,
                object: sum[3] < 0 ? nil : Int(sum[3])
            )
            add(Amount(byteCount: sum[4], responseCount: sum[5], documentReads: sum[6]), to: key)
        }
        return true
    }

    /// The sums, in an order that depends on them and on names alone.
    var parts: [SessionDownloads] {
        let (causes, listRanks, objectRanks) = (
            Self.ranks(RecordedCause.allCases.map(\.rawValue)), Self.ranks(lists.map(\.name)),
            Self.ranks(objects.map(\.name))
        )
        let places = RecordedCause.allCases.enumerated().map { ($0.element, causes[$0.offset]) }
        let causeRanks = Dictionary(uniqueKeysWithValues: places)
        func order(_ sum: (key: Key, value: Amount)) -> (Int, Int, Int, Int, Int64, Int64) {
            let (list, page) =
                switch sum.key.place {
                case .openedPost: (-1, -2)
                case .withoutList: (-1, -1)
                case .list(let number, let page): (listRanks[number], page)
                }
            let object = sum.key.object.map { objectRanks[$0] } ?? -1
            return (causeRanks[sum.key.cause] ?? 0, list, page, object, sum.value.byteCount, sum.value.responseCount)
        }
        return amounts.map { (order($0), $0) }.sorted { $0.0 < $1.0 }.map { part(of: $0.1) }
    }

    /// The place of each text among all of them in order; of texts that are alike, the same.
    private static func ranks(_ texts: [String]) -> [Int] {
        var ranks = [Int](repeating: 0, count: texts.count)
        let sorted = texts.indices.sorted { texts[$0] < texts[$1] }
        for (last, next) in zip(sorted, sorted.dropFirst()) {
            ranks[next] = ranks[last] + (texts[last] == texts[next] ? 0 : 1)
        }
        return ranks
    }

    private func part(of sum: (key: Key, value: Amount)) -> SessionDownloads {
        let (key, amount) = sum
        let object = key.object.map { objects[$0] }
        let place: SessionDownloads.Place =
            switch key.place {
            case .list(let number, let page): .list(lists[number].name, page: page)
            case .withoutList: .withoutList
            case .openedPost: .openedPost
            }
        return SessionDownloads(
            cause: key.cause.rawValue,
            place: place,
            object: object?.name,
            pixelWidth: key.cause == .listed || key.cause == .opened ? object?.pixels?.uprightWidth : nil,
            byteCount: amount.byteCount,
            responseCount: amount.responseCount,
            documentReads: amount.documentReads
        )
    }
}
