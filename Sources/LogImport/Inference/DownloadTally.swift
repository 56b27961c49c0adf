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
        var user = LoadedImages()
        for (download, place) in placed.sorted(by: { $0.0.time < $1.0.time }) {
            add(download, at: place, of: &user, isOpened: opened.contains(download.image.document))
        }
    }

    /// The images that a user has loaded.
    private struct LoadedImages {
        /// The bytes of each; ``whole`` for all of them.
        var byteCounts: [Image: Int64] = [:]
        /// The cause and place of the last download of each, which its further bytes have, too.
        var last: [Image: Key] = [:]

        static let whole = Int64.max
    }

    private mutating func add(_ download: Visit.Download, at place: Place, of user: inout LoadedImages, isOpened: Bool)
    {
        let logged = download.logged
        let image = Image(object: logged.object, generation: logged.generation)
        let first: RecordedCause = isOpened ? .opened : download.image.index == 0 ? .listed : .overFetched
        func add(_ byteCount: Int64, _ cause: RecordedCause, responseCount: Int64 = 1) {
            let key = Key(cause: cause, place: place, object: logged.object)
            user.last[image] = key
            self.add(Amount(byteCount: byteCount, responseCount: responseCount), to: key)
        }
        switch logged.outcome {
        case .cached: user.byteCounts[image] = LoadedImages.whole
        case .notModified:
            user.byteCounts[image] = LoadedImages.whole
            add(logged.byteCount, .revalidated)
        case .aborted: add(logged.byteCount, .aborted)
        case .failed: add(logged.byteCount, .failed)
        case .continued:
            guard let key = user.last[image] else { return add(logged.byteCount, first, responseCount: 0) }
            self.add(Amount(byteCount: logged.byteCount), to: key)
        case .whole, .part:
            let new = newByteCount(of: logged, image, loaded: &user.byteCounts)
            if let new { add(new, first) }
            if new != logged.byteCount { add(logged.byteCount - (new ?? 0), .again) }
        }
    }

    /// The bytes of a download that its user had not loaded; `nil` where all had been.
    ///
    /// The ranges of parts are in no log: as many bytes as the image has count as new.
    private func newByteCount(of download: LoggedDownload, _ image: Image, loaded: inout [Image: Int64]) -> Int64? {
        let isWhole = download.outcome == .whole
        let byteCount = isWhole ? download.byteCount : max(download.byteCount, objects[download.object].byteCount)
        let known = loaded[image]
        loaded[image] = isWhole || known == LoadedImages.whole ? LoadedImages.whole : (known ?? 0) + download.byteCount
        guard let known else { return download.byteCount }
        return known < byteCount ? min(download.byteCount, byteCount - known) : nil
    }

    private mutating func add(_ amount: Amount, to key: Key) {
        amounts[key, default: Amount()].add(amount)
    }

    private func place(of visit: Visit) -> Place {
        visit.answer?.list.map { .list(firstOfName[$0], page: visit.page) } ?? .withoutList
    }

    var parts: [SessionDownloads] {
        amounts.map { key, amount in
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
        }.sorted { $0.order < $1.order }
    }
}

extension SessionDownloads {
    fileprivate var order: (String, String, Int, String, Int64, Int64) {
        let (name, page) =
            switch place {
            case .openedPost: ("", -2)
            case .withoutList: ("", -1)
            case .list(let name, let page): (name, page)
            }
        return (cause, name, page, object ?? "", byteCount, responseCount)
    }
}
