// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
package import SessionLog

/// The totals of a log, in memory that does not grow with it.
package struct LogTotals: RequestSink, Sendable {
    /// Requests, and the bytes that answered them.
    package struct Amount: Sendable, Hashable {
        /// The requests.
        package private(set) var requestCount: Int64 = 0
        /// The bytes of the bodies.
        package private(set) var byteCount: Int64 = 0

        init() {}

        init(_ requestCount: Int64, _ byteCount: Int64) {
            (self.requestCount, self.byteCount) = (requestCount, byteCount)
        }

        mutating func add(_ other: Amount) { add(other.byteCount, requestCount: other.requestCount) }

        mutating func add(_ byteCount: Int64, requestCount: Int64 = 1) {
            self.requestCount += requestCount
            self.byteCount += byteCount
        }
    }

    var operations = [Amount](repeating: Amount(), count: LoggedOperation.allCases.count)
    /// The operations of session logs, which have finer names.
    var namedOperations: [String: Amount] = [:]
    var statuses = [Amount](repeating: Amount(), count: 1_000)
    var grouping: LogGrouping?
    private var ids: RecordFile?
    /// The figures that are not sums by operation or status.
    package internal(set) var figures = Figures()

    /// The figures that are not sums by operation or status.
    package struct Figures: Sendable, Hashable {
        /// Requests that the log names twice, of which the second does not count.
        package internal(set) var duplicateCount: Int64 = 0
        /// Requests that a cache of the client answered.
        package internal(set) var cachedCount: Int64 = 0
        /// Requests whose sizes the log does not have.
        package internal(set) var sizelessCount: Int64 = 0
        /// Requests to servers that have nothing to do with Firebase, which count nowhere else.
        package internal(set) var otherHostCount: Int64 = 0
        /// Lines that are not of their log's format, where these are passed over.
        package internal(set) var unreadable = UnreadableLines()
        /// When the first and the last request came, in microseconds since 1970; `nil` without requests.
        package internal(set) var times: ClosedRange<Int64>?
        /// The bill of Cloud Storage.
        package internal(set) var billed = BilledUsage.zero
        /// The bill of Firestore, which only session logs have.
        package internal(set) var firestoreBilled = BilledUsage.zero
    }

    /// Creates totals of nothing, which are broken down by a property of the requests, too.
    package init(by property: LogGrouping.Property? = nil) { grouping = property.map { LogGrouping($0) } }

    /// Has the requests that have ids noted in a file, which ``LogDuplicates`` reads.
    package mutating func noteIDs(in path: String) throws(SessionLogError) {
        ids = try RecordFile(path, wordCount: CountedRequest.wordCount(hasGroup: grouping != nil))
    }

    /// Writes what waits to the file of ids.
    package mutating func finish() throws(SessionLogError) { try ids?.finish() }

    package var readsNames: Bool { grouping != nil }

    package mutating func take(_ request: borrowing LoggedRequest) throws {
        guard request.server != .otherHost else {
            figures.otherHostCount += 1
            return
        }
        figures.note(request.time)
        guard !request.isFromCache else {
            figures.cachedCount += 1
            return
        }
        if request.byteCount == nil { figures.sizelessCount += 1 }
        let byteCount = request.byteCount ?? 0
        let group = grouping?.group(of: request)
        if let group { grouping?.add(byteCount, to: group) }
        operations[request.operation.index].add(byteCount)
        let status = min(999, max(0, request.status))
        statuses[status].add(byteCount)
        figures.bill(request.operation, status: status, byteCount: byteCount)
        guard ids != nil, let id = request.requestHash else { return }
        let counted = CountedRequest(
            id: id,
            byteCount: request.byteCount,
            status: status,
            operation: request.operation.index,
            group: group?.hash ?? 0
        )
        try ids?.append(by: id) { counted.append(to: &$0, hasGroup: group != nil) }
    }

    /// Takes back a request that another part of the log has, too.
    mutating func takeBack(_ request: CountedRequest) {
        let (operation, byteCount) = (LoggedOperation.allCases[request.operation], request.byteCount ?? 0)
        figures.duplicateCount += 1
        if request.byteCount == nil { figures.sizelessCount -= 1 }
        grouping?.add(-byteCount, requestCount: -1, to: (request.group, nil))
        operations[request.operation].add(-byteCount, requestCount: -1)
        statuses[request.status].add(-byteCount, requestCount: -1)
        figures.billed = figures.billed + operation.billed(status: request.status, byteCount: byteCount) * -1
    }

    /// Adds the totals of another part of the log.
    package mutating func add(_ other: LogTotals) {
        figures.add(other.figures)
        for (place, amount) in other.operations.enumerated() { operations[place].add(amount) }
        for (name, amount) in other.namedOperations { namedOperations[name, default: Amount()].add(amount) }
        for (place, amount) in other.statuses.enumerated() { statuses[place].add(amount) }
        if let theirs = other.grouping { grouping?.add(theirs) }
    }

    package mutating func takeDuplicate() { figures.duplicateCount += 1 }

    package mutating func takeUnreadable(_ line: UnreadableLine) { figures.unreadable.add(line) }
}

extension LogTotals {
    /// Takes in a line of a session log.
    package mutating func take(_ entry: SessionEntry) {
        switch entry {
        case .request(let request), .part(let request): add(request.record)
        case .retraction(let request): add(request.record.reversed)
        case .header, .view, .image, .downloads, .recording, .document, .object, .unknown: break
        }
    }

    private mutating func add(_ record: UsageRecord) {
        figures.note(record.startMicroseconds)
        let (count, byteCount) = (record.requestCount, record.sent.body)
        namedOperations[record.attribution.operation, default: Amount()].add(byteCount, requestCount: count)
        statuses[min(999, max(0, record.status))].add(byteCount, requestCount: count)
        if let group = grouping?.group(of: record) { grouping?.add(byteCount, requestCount: count, to: group) }
        switch record.attribution.service {
        case .storage: figures.billed = figures.billed + record.billed
        case .firestore: figures.firestoreBilled = figures.firestoreBilled + record.billed
        case .auth: break
        }
    }

    /// All requests that were sent.
    package var total: (requestCount: Int64, byteCount: Int64) {
        (operations + namedOperations.values).reduce(into: (0, 0)) {
            $0 = ($0.0 + $1.requestCount, $0.1 + $1.byteCount)
        }
    }

    /// The operations that were asked for, in the order of their kinds or of their names.
    package var byOperation: [(operation: String, amount: Amount)] {
        zip(LoggedOperation.allCases, operations).filter { $0.1.requestCount > 0 }.map { ($0.0.rawValue, $0.1) }
            + namedOperations.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The property that the sums are broken down by, if they are.
    package var groupedBy: LogGrouping.Property? { grouping?.property }

    /// The groups, most bytes first, or hours in their order; empty where none were asked for.
    package var groups: [(name: String, amount: Amount)] { grouping?.groups ?? [] }

    /// The statuses that were answered, in their order.
    package var byStatus: [(status: Int, amount: Amount)] {
        statuses.enumerated().filter { $0.element.requestCount > 0 }.map { ($0.offset, $0.element) }
    }
}

extension LogTotals.Figures {
    fileprivate mutating func add(_ other: Self) {
        duplicateCount += other.duplicateCount
        cachedCount += other.cachedCount
        sizelessCount += other.sizelessCount
        otherHostCount += other.otherHostCount
        unreadable.add(other.unreadable)
        billed = billed + other.billed
        firestoreBilled = firestoreBilled + other.firestoreBilled
        guard let theirs = other.times else { return }
        note(theirs.lowerBound)
        note(theirs.upperBound)
    }

    fileprivate mutating func note(_ time: Int64) {
        guard let known = times else {
            times = time...time
            return
        }
        guard !known.contains(time) else { return }
        times = min(time, known.lowerBound)...max(time, known.upperBound)
    }

    fileprivate mutating func bill(_ operation: LoggedOperation, status: Int, byteCount: Int64) {
        billed = billed + operation.billed(status: status, byteCount: byteCount)
    }
}

extension LoggedOperation {
    /// The place among all cases.
    var index: Int {
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
