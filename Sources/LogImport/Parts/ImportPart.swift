// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The share that a part of a third-party log has in the session of all its parts; sums of parts are parts, in any order.
///
/// Parts are shared out twice. Reading a split of the log gives the names in it; what the requests of some users are is counted when all
/// names are known, and their views are inferred when all is counted.
package struct ImportPart: Sendable, Codable {
    /// The schema of such parts.
    package static let schema = "firemeter.import-part/1"

    /// Where a log first has a name: in which split, and behind how many other names.
    struct Place: Sendable, Hashable, Comparable {
        let split: Int64
        let number: Int64

        static func < (left: Self, right: Self) -> Bool { (left.split, left.number) < (right.split, right.number) }
    }

    /// An object that was downloaded, with its size as far as downloads say.
    struct Object: Sendable {
        let bucket: String
        let name: String
        var byteCount: Int64
        var place: Place
    }

    /// A caller that downloaded an object, by the hash of its address and program.
    struct Caller: Sendable {
        let hash: UInt64
        var place: Place
    }

    /// The sums of the requests of some users.
    struct Counts: Sendable, Codable {
        var eventCount: Int64 = 0
        var usage: [UsageAttribution.Service: UsageTotals] = [:]
        /// The downloads.
        var downloads = UsageTotals.zero
        /// The downloads of objects that belong to a post.
        var owned = UsageTotals.zero
        var habits = HabitCounts()
    }

    /// The sums of the views of some users.
    struct Views: Sendable, Codable {
        var viewCount: Int64 = 0
        var userCount: Int64 = 0
        /// As ``DownloadTally`` has them.
        var downloads: [[Int64]] = []
    }

    private var schema = Self.schema
    /// In the order of their places.
    var objects: [Object] = []
    /// In the order of their places.
    var callers: [Caller] = []
    /// The time of the first download, in microseconds since 1970; `nil` without any.
    var start: Int64?
    /// The requests that do not belong to the session.
    package var passedOver = LoggedDownloads.PassedOver()
    var counts = Counts()
    var views = Views()

    /// The views of all users that were counted.
    package var viewCount: Int64 { views.viewCount }
    /// The users who have views.
    package var userCount: Int64 { views.userCount }

    init() {}

    /// Why the part cannot be one; `nil` where it can.
    package var problem: String? {
        guard schema == Self.schema else { return "'schema' must be '\(Self.schema)'" }
        let range = -(Int64(1) << 53)...(Int64(1) << 53)
        let sums = [counts.downloads, counts.owned] + counts.usage.values
        let numbers =
            [passedOver.duplicateCount, passedOver.otherCount, passedOver.otherHostCount, passedOver.unreadable.count]
            + [counts.eventCount, views.viewCount, views.userCount] + objects.map(\.byteCount)
            + sums.flatMap(\.numbers)
            + ([counts.habits.againCount, counts.habits.keptCount] + counts.habits.votes.values).map(Int64.init)
            + views.downloads.joined()
        guard (0..<Int64(1) << 62).contains(start ?? 0) else { return "its numbers are absurd" }
        return numbers.allSatisfy(range.contains) ? nil : "its numbers are absurd"
    }
}

/// Adds up parts.
package struct ImportParts {
    private var sum = ImportPart()
    private var objects: [SpelledName: ImportPart.Object] = [:]
    private var callers: [UInt64: ImportPart.Caller] = [:]
    private var downloads: [[Int64]: [Int64]] = [:]

    /// Creates a sum of no part yet.
    package init() {}

    /// Adds a part.
    package mutating func add(_ part: ImportPart) {
        for object in part.objects {
            let key = SpelledName("\(object.bucket)/\(object.name)")
            var known = objects[key] ?? object
            known.byteCount = max(known.byteCount, object.byteCount)
            known.place = min(known.place, object.place)
            objects[key] = known
        }
        for caller in part.callers {
            var known = callers[caller.hash] ?? caller
            known.place = min(known.place, caller.place)
            callers[caller.hash] = known
        }
        sum.start = [sum.start, part.start].compactMap { $0 }.min()
        sum.passedOver.add(part.passedOver)
        sum.counts.add(part.counts)
        sum.views.viewCount += part.views.viewCount
        sum.views.userCount += part.views.userCount
        for numbers in part.views.downloads {
            let key = Array(numbers.prefix(DownloadTally.keyCount))
            let amounts = Array(numbers.dropFirst(DownloadTally.keyCount))
            downloads[key] = downloads[key].map { zip($0, amounts).map(+) } ?? amounts
        }
    }

    /// The sum.
    package var whole: ImportPart {
        var whole = sum
        whole.objects = objects.values.sorted { $0.place < $1.place }
        whole.callers = callers.values.sorted { $0.place < $1.place }
        whole.views.downloads = downloads.map { $0.key + $0.value }.sorted { $0.lexicographicallyPrecedes($1) }
        return whole
    }
}

extension ImportPart.Counts {
    fileprivate mutating func add(_ other: Self) {
        eventCount += other.eventCount
        for (service, totals) in other.usage { usage[service, default: .zero].add(totals) }
        downloads.add(other.downloads)
        owned.add(other.owned)
        habits.add(other.habits)
    }
}

extension LoggedDownloads.PassedOver {
    fileprivate mutating func add(_ other: Self) {
        otherHostCount += other.otherHostCount
        duplicateCount += other.duplicateCount
        otherCount += other.otherCount
        unreadable.add(other.unreadable)
    }
}

extension UsageTotals {
    fileprivate var numbers: [Int64] {
        [received, sent].flatMap { [$0.header, $0.body, $0.wire] }
            + [requests, billed.egressBytes, billed.classA, billed.classB, billed.documentReads, billed.documentWrites]
            + [billed.documentDeletes]
    }
}

// A log has many names: they are written without the names of their fields.

extension ImportPart.Object: Codable {
    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        place = ImportPart.Place(split: try values.decode(Int64.self), number: try values.decode(Int64.self))
        byteCount = try values.decode(Int64.self)
        bucket = try values.decode(String.self)
        name = try values.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        for number in [place.split, place.number, byteCount] { try values.encode(number) }
        for text in [bucket, name] { try values.encode(text) }
    }
}

extension ImportPart.Caller: Codable {
    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        place = ImportPart.Place(split: try values.decode(Int64.self), number: try values.decode(Int64.self))
        let text = try values.decode(String.self)
        guard let hash = UInt64(text, radix: 16) else {
            throw DecodingError.dataCorruptedError(in: values, debugDescription: "'\(text)' is no hash in base 16")
        }
        self.hash = hash
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        for number in [place.split, place.number] { try values.encode(number) }
        try values.encode(String(hash, radix: 16))
    }
}
