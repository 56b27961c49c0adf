// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The totals of a part of a log, as they are written: parts add up to the totals of the whole, in any order.
package struct TotalsPart: Sendable, Codable {
    /// The schema of such parts.
    package static let schema = "firemeter.totals-part/1"

    private struct Sum: Sendable, Codable {
        let requests: Int64
        let bytes: Int64

        init(_ amount: LogTotals.Amount) { (requests, bytes) = (amount.requestCount, amount.byteCount) }

        var amount: LogTotals.Amount { LogTotals.Amount(requests, bytes) }
    }

    private struct Groups: Sendable, Codable {
        struct Group: Sendable, Codable {
            /// In base 16, since JSON's numbers are not of 64 bits everywhere.
            let hash: String
            let name: String?
            let requests: Int64
            let bytes: Int64
        }

        let by: LogGrouping.Property
        let groups: [Group]
        let others: Sum
    }

    private let schema: String
    /// The logs that were named, in the order of their names.
    package let logs: [String]
    private var operations: [String: Sum] = [:]
    private var namedOperations: [String: Sum] = [:]
    private var statuses: [Int: Sum] = [:]
    private var groups: Groups?
    private var duplicates: Int64 = 0
    private var cached: Int64 = 0
    private var sizeless: Int64 = 0
    private var otherHosts: Int64 = 0
    /// `nil` without any.
    private var unreadable: UnreadableLines?
    private var first: Int64?
    private var last: Int64?
    private var storage: BilledUsage
    private var firestore: BilledUsage

    /// Creates a part of totals; `-` names no log.
    package init(_ totals: LogTotals, of logs: [String]) {
        schema = Self.schema
        self.logs = Set(logs.filter { $0 != "-" }).sorted()
        let figures = totals.figures
        (duplicates, cached) = (figures.duplicateCount, figures.cachedCount)
        (sizeless, otherHosts) = (figures.sizelessCount, figures.otherHostCount)
        unreadable = figures.unreadable.count > 0 ? figures.unreadable : nil
        (first, last) = (figures.times?.lowerBound, figures.times?.upperBound)
        (storage, firestore) = (figures.billed, figures.firestoreBilled)
        for (operation, amount) in zip(LoggedOperation.allCases, totals.operations) where amount != .init() {
            operations[operation.rawValue] = Sum(amount)
        }
        namedOperations = totals.namedOperations.mapValues(Sum.init)
        for (status, amount) in totals.statuses.enumerated() where amount != .init() { statuses[status] = Sum(amount) }
        guard let grouping = totals.grouping else { return }
        let (written, others) = grouping.written
        let sorted = written.sorted { $0.key < $1.key }.map { hash, group in
            Groups.Group(
                hash: String(hash, radix: 16),
                name: group.name,
                requests: group.amount.requestCount,
                bytes: group.amount.byteCount
            )
        }
        groups = Groups(by: grouping.property, groups: sorted, others: Sum(others))
    }

    /// The totals; throws ``LogImportError`` for numbers that no sum has.
    package func totals(from path: String) throws -> LogTotals {
        guard schema == Self.schema else {
            throw LogImportError(path: path, line: nil, problem: "'schema' must be '\(Self.schema)'")
        }
        guard isPlausible else {
            throw LogImportError(path: path, line: nil, problem: "is no part of totals: its numbers are absurd")
        }
        var totals = LogTotals()
        totals.figures = LogTotals.Figures(
            duplicateCount: duplicates,
            cachedCount: cached,
            sizelessCount: sizeless,
            otherHostCount: otherHosts,
            unreadable: unreadable ?? UnreadableLines(),
            times: first.flatMap { first in last.map { first...$0 } },
            billed: storage,
            firestoreBilled: firestore
        )
        for (place, operation) in LoggedOperation.allCases.enumerated() {
            totals.operations[place] = operations[operation.rawValue]?.amount ?? .init()
        }
        totals.namedOperations = namedOperations.mapValues(\.amount)
        for (status, sum) in statuses { totals.statuses[status] = sum.amount }
        totals.grouping = groups.map { groups in
            let known = groups.groups.compactMap { group in
                UInt64(group.hash, radix: 16).map { hash in
                    (hash, LogGrouping.Group(name: group.name, amount: .init(group.requests, group.bytes)))
                }
            }
            return LogGrouping(
                groups.by,
                groups: Dictionary(known, uniquingKeysWith: { first, _ in first }),
                others: groups.others.amount
            )
        }
        return totals
    }

    private var isPlausible: Bool {
        let range = -(Int64(1) << 53)...(Int64(1) << 53)
        let sums = [operations, namedOperations].flatMap(\.values) + statuses.values
        let bills = [storage, firestore].flatMap {
            [$0.egressBytes, $0.classA, $0.classB, $0.documentReads, $0.documentWrites, $0.documentDeletes]
        }
        let groupSums = (groups?.groups ?? []).flatMap { [$0.requests, $0.bytes] }
        let others = groups.map { [$0.others.requests, $0.others.bytes] } ?? []
        let figures = [duplicates, cached, sizeless, otherHosts, unreadable?.count ?? 0]
        let numbers = sums.flatMap { [$0.requests, $0.bytes] } + bills + figures + groupSums + others
        let times = [first, last].compactMap { $0 }
        return numbers.allSatisfy(range.contains) && statuses.keys.allSatisfy((0..<1_000).contains)
            && times.count != 1 && times == times.sorted() && times.allSatisfy((0..<Int64(1) << 62).contains)
    }
}
