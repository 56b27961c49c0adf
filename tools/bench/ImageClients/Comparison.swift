// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// Plays scripts by every client on one emulator and compares what the meter saw.
struct Comparison {
    struct Row: Codable {
        var session: String
        var picturesShown: Int
        /// Body bytes of downloads by the client's name.
        var bodyBytes: [String: Int] = [:]
        /// Downloads by the client's name.
        var requests: [String: Int] = [:]
    }

    static let ownName = "FeedClient"
    private static let bucket = "demo-clients.appspot.com"

    let firestore: URL
    let storage: URL
    let meter: Meter

    /// A generated script, its pictures uploaded again for each client.
    func row(_ script: Script) async throws -> Row {
        try await row(script, bucket: Self.bucket) { name in
            try await Stage(
                storage: storage,
                bucket: Self.bucket,
                transport: URLSessionTransport(),
                owner: "\(name)-\(script.name)".replacingOccurrences(of: " ", with: "-"),
                byteCounts: script.pictureByteCounts
            )
        }
    }

    /// A recorded session over the feed that the emulator was seeded with.
    func row(of log: SessionLog, name: String, bytesPerMillisecond: Int) async throws -> Row {
        guard let feed = log.header.feed, let pageSize = log.header.pageSize else { throw URLError(.badURL) }
        let endpoint = FeedEndpoint(firestore: firestore, storage: storage, project: feed.project, bucket: feed.bucket)
        let repository = FeedRepository(endpoint: endpoint, transport: URLSessionTransport())
        var posts: [FeedSort: [FeedPost]] = [:]
        for sort in FeedSort.allCases {
            posts[sort] = try await repository.page(sort: sort, number: 0, size: FeedRepository.pageSizeMax).posts
        }
        let recorded = RecordedScript(posts: posts, pageSize: pageSize, bytesPerMillisecond: bytesPerMillisecond)
        return try await row(recorded.script(of: log, name: name), bucket: feed.bucket) { _ in
            Stage(
                storage: storage,
                bucket: feed.bucket,
                transport: URLSessionTransport(),
                pictures: recorded.pictures
            )
        }
    }

    private func row(
        _ script: Script,
        bucket: String,
        _ makeStage: (String) async throws -> Stage
    ) async throws -> Row {
        var row = Row(session: script.name, picturesShown: 0)
        var seen: [Data]?
        for name in [Self.ownName] + ClientPolicy.all.map(\.name) {
            var stage = try await makeStage(name)
            let mark = try await meter.mark()
            var shown: [Data] = []
            var downloadCount = 0
            for steps in script.users {
                var performance = Performance(storage: storage)
                let directory = FileManager.default.temporaryDirectory.appendingPathComponent("clients-\(UUID())")
                defer { try? FileManager.default.removeItem(at: directory) }
                let client = try makeClient(name, bucket, performance.clientTransport, directory)
                try await performance.play(steps, by: client, on: &stage)
                guard performance.wrongPictures.isEmpty else {
                    throw WrongPicture(session: script.name, client: name, number: performance.wrongPictures[0])
                }
                shown += performance.seen
                downloadCount += performance.downloadCount
            }
            // Equal pictures, or the bytes say nothing.
            guard seen ?? shown == shown else {
                throw WrongPicture(session: script.name, client: name, number: nil)
            }
            seen = shown
            let downloads = try await meter.downloads(since: mark, count: downloadCount)
            row.bodyBytes[name] = downloads.bodyByteCount
            row.requests[name] = downloads.requestCount
        }
        row.picturesShown = seen?.count ?? 0
        return row
    }

    private func makeClient(
        _ name: String,
        _ bucket: String,
        _ transport: any HTTPTransport,
        _ directory: URL
    ) throws -> any ImageClient {
        guard let policy = ClientPolicy.all.first(where: { $0.name == name }) else {
            return try OwnClient(storage: storage, bucket: bucket, transport: transport, directory: directory)
        }
        return PolicyClient(policy, storage: storage, bucket: bucket, transport: transport)
    }
}
