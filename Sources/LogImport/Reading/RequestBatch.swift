// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Some hundred requests of a log, with the texts that they have.
// Unchecked because of the requests' pointers: they are to the block that the log was read from, and replaced before they are used.
struct RequestBatch: @unchecked Sendable {
    private static let countMax = 512

    private var text: [UInt8] = []
    private var requests: [LoggedRequest] = []
    private var unreadable: [UnreadableLine] = []

    private let hasNames: Bool

    init(hasNames: Bool) {
        self.hasNames = hasNames
        text.reserveCapacity(64 * Self.countMax)
        requests.reserveCapacity(Self.countMax)
    }

    var isEmpty: Bool { requests.isEmpty && unreadable.isEmpty }

    var isFull: Bool { requests.count >= Self.countMax }

    /// Copies a request and, unless no one asks for them, the names of its bucket and object.
    mutating func take(_ request: borrowing LoggedRequest) {
        requests.append(hasNames ? request.copied(to: &text) : request.withoutNames)
    }

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        requests.removeAll(keepingCapacity: true)
        unreadable.removeAll()
    }

    mutating func takeUnreadable(_ line: UnreadableLine) { unreadable.append(line) }

    /// Takes the requests to a sink, less those that were there before.
    func take(to sink: inout some RequestSink, recent: inout RecentRequests) throws {
        for line in unreadable { sink.takeUnreadable(line) }
        let hashes = requests.compactMap(\.requestHash)
        var areNew = recent.insert(hashes).makeIterator()
        try text.withUnsafeBufferPointer { text in
            for request in requests {
                if request.requestHash != nil, areNew.next() == false {
                    sink.takeDuplicate()
                } else {
                    try sink.take(request.with(text: text))
                }
            }
        }
    }
}
