// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
package import Metering
import NIOConcurrencyHelpers

/// Finds, while requests come, objects that a user downloads again although they have not changed.
///
/// A download counts where it was answered with the whole object; what a cache only asks about (304) or reads in parts does
/// not. Callers without a user are distinguished by their client.
package final class RepeatedDownloads: UsageRecording {
    /// The most objects of users that are remembered.
    package static let pairCountMax = 50_000
    /// The most objects whose changes are remembered.
    static let changedCountMax = 10_000
    /// The most marks since which downloads are counted.
    static let markCountMax = 4

    /// An object of a bucket.
    struct Object: Hashable {
        let bucket: String
        let name: String
    }

    /// The one who downloads.
    enum Downloader: Hashable, Comparable {
        case user(String)
        /// A client without a user, by its name; `nil` for one that gives none.
        case client(String?)

        init(_ attribution: UsageAttribution) {
            self = attribution.user.map { .user($0) } ?? .client(attribution.client)
        }

        /// Users before clients, each by their names.
        static func < (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.user(let left), .user(let right)): left < right
            case (.client(let left), .client(let right)): left ?? "" < right ?? ""
            case (.user, .client): true
            case (.client, .user): false
            }
        }
    }

    /// An object as one user has downloaded it.
    struct Pair: Hashable {
        let downloader: Downloader
        let object: Object
    }

    /// How often and how much.
    struct Count {
        var downloads: Int64 = 0
        var bytes: Int64 = 0
        /// The bytes of all but the first download of each version.
        var againBytes: Int64 = 0
        var againDownloads: Int64 = 0
        /// When the last one ended, in microseconds since the Unix epoch.
        var lastAt: Int64 = 0
        /// Which version the last one was of.
        fileprivate(set) var version = 0
    }

    fileprivate struct State {
        var whole = Tally()
        /// The downloads since the last marks, the oldest first.
        var parts: [(mark: UsageMark, tally: Tally)] = []
        var versions: [Object: Int] = [:]
        /// Whether all that is remembered was downloaded again, so that nothing gives way.
        var isFull = false
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a table of nothing.
    package init() {}

    /// Counts a download, or takes note of a change.
    package func record(_ record: UsageRecord) { take(record, count: 1) }

    /// Counts downloads that were alike.
    package func record(_ run: UsageRun) { take(run.first, count: Int64(run.count)) }

    /// Takes the former record for what it was: the client did not need the bytes twice because they got lost.
    package func amend(_ former: UsageRecord, to record: UsageRecord) {}

    private func take(_ record: UsageRecord, count: Int64) {
        let content = record.content
        guard content.attribution.service == .storage, let bucket = content.attribution.bucket,
            let name = content.attribution.object
        else { return }
        let object = Object(bucket: bucket, name: name)
        if content.cacheOutcome == .full, content.outcome == .complete, content.method == "GET" {
            let downloader = Downloader(content.attribution)
            let end = record.startMicroseconds + record.durationMicroseconds
            let bytes = content.sent.body
            state.withLockedValue { state in
                state.count(Pair(downloader: downloader, object: object), downloads: count, bytes: bytes, at: end)
            }
        } else if Self.changing.contains(content.attribution.operation), (200..<300).contains(content.status) {
            state.withLockedValue { $0.change(object) }
        }
    }

    /// The operations behind which an object has another content.
    private static let changing: Set<String> = [
        "storage.objects.create", "storage.objects.delete", "storage.objects.compose", "storage.objects.rewrite",
        "storage.objects.copy", "storage.objects.move",
    ]

    /// Counts what comes from now on by itself, too; the oldest of more than ``markCountMax`` marks is forgotten.
    func begin(_ mark: UsageMark) {
        state.withLockedValue { state in
            guard !state.parts.contains(where: { $0.mark == mark }) else { return }
            if state.parts.count == Self.markCountMax { state.parts.removeFirst() }
            state.parts.append((mark, Tally()))
        }
    }

    /// Returns what was counted, or what was since a mark; `nil` where the mark is not one of the last.
    ///
    /// A download since a mark is a repeated one, too, where its user had the object before the mark.
    func tally(since mark: UsageMark? = nil) -> Tally? {
        state.withLockedValue { state in
            guard let mark else { return state.whole }
            guard var tally = state.parts.first(where: { $0.mark == mark })?.tally else { return nil }
            // A download of what is forgotten seems to be the first.
            tally.isTruncated = tally.isTruncated || state.whole.isTruncated
            return tally
        }
    }
}

extension RepeatedDownloads.State {
    fileprivate mutating func count(_ pair: RepeatedDownloads.Pair, downloads: Int64, bytes: Int64, at time: Int64) {
        guard var count = whole.counts[pair] ?? makeRoom() else { return }
        let version = versions[pair.object] ?? 0
        let isNew = count.downloads == 0 || count.version != version
        count.version = version
        whole.counts[pair] = count
        let again = isNew ? downloads - 1 : downloads
        whole.add(downloads, of: pair, bytes: bytes, again: again, at: time)
        for index in parts.indices {
            parts[index].tally.add(downloads, of: pair, bytes: bytes, again: again, at: time)
        }
    }

    fileprivate mutating func change(_ object: RepeatedDownloads.Object) {
        if versions[object] == nil, versions.count == RepeatedDownloads.changedCountMax {
            // Rather nothing than a false report: all is as if it had changed.
            versions = [:]
            whole.counts = [:]
            (whole.isTruncated, isFull) = (true, false)
        }
        versions[object, default: 0] += 1
    }

    /// A count of nothing, where there is room; objects that were downloaded once give way.
    private mutating func makeRoom() -> RepeatedDownloads.Count? {
        guard whole.counts.count >= RepeatedDownloads.pairCountMax else { return RepeatedDownloads.Count() }
        guard !isFull else { return nil }
        whole.isTruncated = true
        whole.counts = whole.counts.filter { $0.value.againBytes > 0 }
        // Else there would soon be another pass over all of them.
        isFull = whole.counts.count > RepeatedDownloads.pairCountMax / 2
        return whole.counts.count < RepeatedDownloads.pairCountMax ? RepeatedDownloads.Count() : nil
    }
}
