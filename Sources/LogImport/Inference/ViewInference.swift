// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Infers a session from a log of downloads: who saw which posts when, and opened which.
package struct ViewInference: RequestSink, Sendable {
    private var downloads = DownloadRecords()
    private let rules: InferenceRules

    /// Creates an inference by these rules.
    package init(_ rules: InferenceRules = InferenceRules()) { self.rules = rules }

    package mutating func take(_ request: borrowing LoggedRequest) { downloads.take(request) }

    /// The downloads of feed images that were taken in.
    package var downloadCount: Int64 { downloads.downloadCount }

    /// Requests that were not downloads of a feed image, `owner/feed/n`.
    package var otherCount: Int64 { downloads.otherCount }

    /// Requests that the log names twice.
    package var duplicateCount: Int64 { downloads.duplicateCount }

    /// The session; `nil` when nothing was downloaded.
    package func session() -> SessionLog? {
        let records = downloads.records.indices.sorted { left, right in
            let (one, other) = (downloads.records[left], downloads.records[right])
            return (one.client, one.time, left) < (other.client, other.time, right)
        }
        guard let start = downloads.records.map(\.time).min() else { return nil }
        let visits = visits(of: records)
        let listsLoadAll = self.listsLoadAll(in: visits)
        var views = ViewWriter(downloads, rules: rules, startingAt: start, listsLoadAll: listsLoadAll)
        for visit in visits { views.add(visit) }
        var header = SessionHeader(createdAt: LogTime(microseconds: start))
        header.imported = SessionHeader.Imported(
            downloadCount: downloads.downloadCount,
            byteCount: downloads.byteCount,
            assumptions: rules.sentences(listsLoadAll: listsLoadAll)
        )
        return SessionLog(header: header, views: views.inOrder, images: images)
    }

    private var images: [SessionImage] {
        downloads.images.indices.filter { downloads.byteCounts[$0] > 0 }.map { index in
            let image = downloads.images[index]
            return SessionImage(
                object: "\(downloads.posts[Int(image.post)])/\(image.index)",
                byteCount: downloads.byteCounts[index]
            )
        }
    }

    /// Splits each user's downloads where some time passed without one.
    private func visits(of records: [Int]) -> [Visit] {
        var visits: [Visit] = []
        for number in records {
            let record = downloads.records[number]
            let image = downloads.images[Int(record.image)]
            if let last = visits.last, last.client == record.client, record.time - last.end <= rules.viewGap,
                last.posts.count < Visit.postCountMax
            {
                visits[visits.count - 1].add(image, at: record.time)
            } else {
                let isSameUser = visits.last?.client == record.client
                let pause = isSameUser ? record.time - (visits.last?.end ?? 0) : 0
                visits.append(
                    Visit(
                        client: record.client,
                        image: image,
                        at: record.time,
                        isAfterRelaunch: pause > rules.relaunchGap
                    )
                )
            }
        }
        return visits
    }

    /// Whether most posts that lists showed came with more than their first image.
    private func listsLoadAll(in visits: [Visit]) -> Bool {
        var imageCounts: [Int32: Int] = [:]
        for image in downloads.images { imageCounts[image.post, default: 0] += 1 }
        var (whole, all) = (0, 0)
        for visit in visits where visit.posts.count > 1 {
            for (post, indices) in visit.posts where indices.contains(0) && imageCounts[post] ?? 0 > 1 {
                all += 1
                if indices.count > 1 { whole += 1 }
            }
        }
        return 2 * whole > all
    }
}

/// Downloads of a user that belong together.
struct Visit: Sendable {
    /// No one sees more at once: behind one address there are several then.
    static let postCountMax = 300

    let client: Int32
    let start: Int64
    private(set) var end: Int64
    /// Whether the app was restarted before.
    let isAfterRelaunch: Bool
    /// The posts whose images were loaded, in this order, and which.
    private(set) var posts: [(post: Int32, indices: Set<Int32>)] = []
    private var places: [Int32: Int] = [:]

    init(client: Int32, image: DownloadRecords.Image, at time: Int64, isAfterRelaunch: Bool) {
        self.client = client
        (start, end) = (time, time)
        self.isAfterRelaunch = isAfterRelaunch
        add(image, at: time)
    }

    mutating func add(_ image: DownloadRecords.Image, at time: Int64) {
        end = time
        if let index = places[image.post] {
            posts[index].indices.insert(image.index)
        } else {
            places[image.post] = posts.count
            posts.append((image.post, [image.index]))
        }
    }
}
