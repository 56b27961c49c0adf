// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The totals of a log, in memory that does not grow with it.
package struct LogTotals: RequestSink, Sendable {
    /// Requests, and the bytes that answered them.
    package struct Amount: Sendable, Hashable {
        /// The requests.
        package private(set) var requestCount: Int64 = 0
        /// The bytes of the bodies.
        package private(set) var byteCount: Int64 = 0

        mutating func add(_ byteCount: Int64) {
            requestCount += 1
            self.byteCount += byteCount
        }
    }

    /// The rest of a request until it is known whether it was there before.
    private struct Pending {
        let time: Int64
        let byteCount: Int64?
        let operation: LoggedOperation
        let status: Int16
        let isFromCache: Bool
    }

    private static let pendingCountMax = 256

    private var pending: [Pending] = []
    private var hashes: [UInt64] = []
    private var recent = RecentRequests()
    private var operations = [Amount](repeating: Amount(), count: LoggedOperation.allCases.count)
    private var statuses = [Amount](repeating: Amount(), count: 1_000)
    /// The figures that are not sums by operation or status.
    package private(set) var figures = Figures()

    /// The figures that are not sums by operation or status.
    package struct Figures: Sendable, Hashable {
        /// Requests that the log names twice, of which the second does not count.
        package internal(set) var duplicateCount: Int64 = 0
        /// Requests that a cache of the client answered.
        package internal(set) var cachedCount: Int64 = 0
        /// Requests whose sizes the log does not have.
        package internal(set) var sizelessCount: Int64 = 0
        /// When the first and the last request came, in microseconds since 1970; `nil` without requests.
        package internal(set) var times: ClosedRange<Int64>?
        /// The bill of Cloud Storage.
        package internal(set) var billed = BilledUsage.zero
    }

    /// Creates totals of nothing.
    package init() {}

    package mutating func take(_ request: borrowing LoggedRequest) {
        let pending = Pending(
            time: request.time,
            byteCount: request.byteCount,
            operation: request.operation,
            status: Int16(clamping: min(999, max(0, request.status))),
            isFromCache: request.isFromCache
        )
        guard let hash = request.requestHash else { return add(pending) }
        self.pending.append(pending)
        hashes.append(hash)
        if hashes.count == Self.pendingCountMax { finish() }
    }

    /// Takes in what waits; a sum asked for before lacks it.
    package mutating func finish() {
        for (pending, isNew) in zip(pending, recent.insert(hashes)) {
            if isNew { add(pending) } else { figures.duplicateCount += 1 }
        }
        pending.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ request: Pending) {
        figures.note(request.time)
        guard !request.isFromCache else {
            figures.cachedCount += 1
            return
        }
        if request.byteCount == nil { figures.sizelessCount += 1 }
        let byteCount = request.byteCount ?? 0
        operations[request.operation.index].add(byteCount)
        statuses[Int(request.status)].add(byteCount)
        figures.bill(request.operation, status: Int(request.status), byteCount: byteCount)
    }
}

extension LogTotals {
    /// All requests that were sent.
    package var total: (requestCount: Int64, byteCount: Int64) {
        operations.reduce(into: (0, 0)) { $0 = ($0.0 + $1.requestCount, $0.1 + $1.byteCount) }
    }

    /// The operations that were asked for, in the order of their kinds.
    package var byOperation: [(operation: LoggedOperation, amount: Amount)] {
        zip(LoggedOperation.allCases, operations).filter { $0.1.requestCount > 0 }.map { ($0.0, $0.1) }
    }

    /// The statuses that were answered, in their order.
    package var byStatus: [(status: Int, amount: Amount)] {
        statuses.enumerated().filter { $0.element.requestCount > 0 }.map { ($0.offset, $0.element) }
    }
}

extension LogTotals.Figures {
    fileprivate mutating func note(_ time: Int64) {
        guard let known = times else {
            times = time...time
            return
        }
        guard !known.contains(time) else { return }
        times = min(time, known.lowerBound)...max(time, known.upperBound)
    }

    fileprivate mutating func bill(_ operation: LoggedOperation, status: Int, byteCount: Int64) {
        guard let storageClass = operation.storageClass else { return }
        // A log that has no statuses lists answers.
        let rule = BillingRule.storage(storageClass)
        billed = billed + rule.billed(status: status == 0 ? 200 : status, sentBodyBytes: byteCount)
    }
}

extension LoggedOperation {
    /// The place among all cases.
    fileprivate var index: Int {
        switch self {
        case .download: 0
        case .metadata: 1
        case .list: 2
        case .write: 3
        case .delete: 4
        case .documents: 5
        case .other: 6
        }
    }
}
