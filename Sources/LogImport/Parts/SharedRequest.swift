// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A request of a part of a log, as the parts are shared out by users: with numbers in place of its texts.
struct SharedRequest: Sendable, Hashable {
    static let wordCount = 5
    private static let (otherHost, cached, flagBits): (Int64, Int64, Int64) = (1, 2, 2)

    /// Its figures, with the caller's hash as its group; an id of 0 for a request that has none.
    private let counted: CountedRequest
    /// The time, and the flags below it.
    private let time: Int64
    /// The hash of the object that was downloaded; 0 for any other request.
    let object: UInt64

    /// Takes over a request, which downloaded an object of this hash.
    init(_ request: borrowing LoggedRequest, object: UInt64) {
        counted = CountedRequest(
            id: request.requestHash.map { max(1, $0) } ?? 0,
            byteCount: request.byteCount,
            status: (0...999).contains(request.status) ? request.status : 999,
            operation: request.operation.index,
            group: request.clientHash
        )
        time =
            request.time << Self.flagBits | (request.server == .otherHost ? Self.otherHost : 0)
            | (request.isFromCache ? Self.cached : 0)
        self.object = object
    }

    /// A request of a ``RecordFile``.
    init(_ words: ArraySlice<UInt64>) {
        counted = CountedRequest(words.prefix(3))
        time = Int64(bitPattern: words[words.startIndex + 3])
        object = words[words.startIndex + 4]
    }

    func append(to words: inout [UInt64]) {
        counted.append(to: &words, hasGroup: true)
        words.append(UInt64(bitPattern: time).littleEndian)
        words.append(object.littleEndian)
    }

    /// The hash of the request's id; `nil` for one without an id.
    var id: UInt64? { counted.id == 0 ? nil : counted.id }

    /// The hash of its caller.
    var caller: UInt64 { counted.group }

    /// The request without its texts; `nil` where no log has such a one.
    var logged: LoggedRequest? {
        guard counted.isPlausible else { return nil }
        var request = LoggedRequest(of: UnsafeBufferPointer(start: nil, count: 0))
        request.time = time >> Self.flagBits
        request.operation = LoggedOperation.allCases[counted.operation]
        request.status = counted.status
        request.byteCount = counted.byteCount
        request.server = time & Self.otherHost == 0 ? .storage : .otherHost
        request.isFromCache = time & Self.cached != 0
        request.clientHash = caller
        return request
    }
}
