// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Totals by a property of the requests.
///
/// A group is known by the hash of its name, so that parts of a log, and what is taken back, add up to the same in any order.
package struct LogGrouping: Sendable {
    /// A property of requests.
    package enum Property: String, Sendable, CaseIterable, Codable {
        case object
        case user
        case hour
        case operation
    }

    /// A group, while it is added up.
    struct Group: Sendable, Hashable {
        /// `nil` for a caller, whose address is not shown, and for what is only taken back.
        var name: String?
        var amount = LogTotals.Amount()
    }

    /// The most groups, those of the smallest hashes; the others are one group, so that memory does not grow with a log.
    package static let groupCountMax = 1_000_000
    /// The name of the group of what belongs to no other.
    package static let rest = "others"

    let property: Property
    /// By the hashes of names; at times a few more than are shown.
    private var amounts: [UInt64: Group] = [:]
    private var others = LogTotals.Amount()
    private let countMax: Int

    init(_ property: Property, countMax: Int = Self.groupCountMax) {
        self.property = property
        self.countMax = countMax
    }

    /// The number of a third-party log's request's group, and its name where there is one.
    func group(of request: borrowing LoggedRequest) -> (hash: UInt64, name: String?) {
        switch property {
        case .object: Self.named(Self.object(request.objectName, in: request.bucketName))
        case .hour: Self.named(Self.hour(of: request.time))
        case .operation: Self.named(request.operation.rawValue)
        case .user: (request.clientHash, nil)
        }
    }

    func group(of record: UsageRecord) -> (hash: UInt64, name: String?) {
        let attribution = record.attribution
        return switch property {
        case .object:
            Self.named(attribution.object.map { Self.object($0, in: attribution.bucket ?? "") } ?? "no object")
        case .hour: Self.named(Self.hour(of: record.startMicroseconds))
        case .operation: Self.named(attribution.operation)
        case .user: Self.named(attribution.user ?? attribution.client ?? "anonymous")
        }
    }

    mutating func add(_ byteCount: Int64, requestCount: Int64 = 1, to group: (hash: UInt64, name: String?)) {
        amounts[group.hash, default: Group(name: group.name)].amount.add(byteCount, requestCount: requestCount)
        // A quarter more is kept, so that the rest is not looked for at each request.
        if amounts.count > countMax + countMax / 4 { mergeOthers() }
    }

    /// Adds the groups of another part.
    mutating func add(_ other: LogGrouping) {
        for (hash, group) in other.amounts {
            amounts[hash, default: Group()].add(group)
            if amounts.count > countMax + countMax / 4 { mergeOthers() }
        }
        others.add(other.others)
    }

    /// Makes the groups beyond the most one.
    ///
    /// Which these are does not depend on an order: a group of the smallest hashes of all is one of the smallest of each part.
    private mutating func mergeOthers() {
        guard amounts.count > countMax else { return }
        for hash in amounts.keys.sorted().dropFirst(countMax) {
            guard let group = amounts.removeValue(forKey: hash) else { continue }
            others.add(group.amount)
        }
    }

    /// The groups with their names, most bytes first, or hours in their order; callers are numbered in this order.
    var groups: [(name: String, amount: LogTotals.Amount)] {
        var counted = self
        counted.mergeOthers()
        var rest = counted.others
        var callerCount = 0
        let amounts = counted.amounts.filter { $0.value.amount != LogTotals.Amount() }
        let sorted = amounts.sorted { $0.value.precedes($1.value, $0.key < $1.key) }.map(\.value)
        var groups: [(name: String, amount: LogTotals.Amount)] = []
        for group in sorted {
            if let name = group.name {
                groups.append((name, group.amount))
            } else if property == .user {
                callerCount += 1
                groups.append(("c\(callerCount)", group.amount))
            } else {
                // Taken back of a group that is one of the others.
                rest.add(group.amount)
            }
        }
        if rest != LogTotals.Amount() { groups.append((Self.rest, rest)) }
        groups.sort { left, right in
            property == .hour ? left.name < right.name : left.amount.byteCount > right.amount.byteCount
        }
        return groups
    }

    private static func named(_ name: String) -> (hash: UInt64, name: String?) {
        var name = name
        return (name.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0)) }, name)
    }

    private static func object(_ name: String, in bucket: String) -> String {
        name.isEmpty ? "no object" : bucket.isEmpty ? name : "\(bucket)/\(name)"
    }

    /// `2026-11-20T09:00:00Z`.
    private static func hour(of time: Int64) -> String {
        let hour: Int64 = 3_600_000_000
        return LogTime(microseconds: time / hour * hour).text
    }
}

extension LogGrouping {
    /// The groups by their hashes, and what belongs to no other, as a part of a log is written.
    var written: (groups: [UInt64: Group], others: LogTotals.Amount) {
        var counted = self
        counted.mergeOthers()
        return (counted.amounts, counted.others)
    }

    init(_ property: Property, groups: [UInt64: Group], others: LogTotals.Amount) {
        self.init(property)
        (amounts, self.others) = (groups, others)
    }
}

extension LogGrouping.Group {
    fileprivate mutating func add(_ other: Self) {
        name = name ?? other.name
        amount.add(other.amount)
    }

    /// Whether it has more bytes, else more requests, else the first name; callers come by their hashes.
    fileprivate func precedes(_ other: Self, _ hasSmallerHash: Bool) -> Bool {
        let (left, right) = (amount, other.amount)
        if left.byteCount != right.byteCount { return left.byteCount > right.byteCount }
        if left.requestCount != right.requestCount { return left.requestCount > right.requestCount }
        return (name ?? "", hasSmallerHash ? 0 : 1) < (other.name ?? "", hasSmallerHash ? 1 : 0)
    }
}
