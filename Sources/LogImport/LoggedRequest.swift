// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// One request of a third-party log.
///
/// Its texts are parts of a buffer that is used again: they hold while the request is handled, and no longer.
package struct LoggedRequest {
    /// The bytes that the texts are parts of.
    private(set) var text: UnsafeBufferPointer<UInt8>
    /// When the request came, in microseconds since 1970.
    package internal(set) var time: Int64 = 0
    /// The request.
    package internal(set) var operation = LoggedOperation.other
    /// The HTTP status; 0 where the log has none.
    package internal(set) var status = 0
    /// The bytes of the response's body; `nil` where the log does not have it.
    ///
    /// No more than 8 TiB, which no object of Cloud Storage has, so that sums of what a log claims do not overflow.
    package internal(set) var byteCount: Int64? {
        get { told }
        set { told = newValue.map { min(max(0, $0), SessionImage.byteCountMax) } }
    }
    private var told: Int64?
    /// Who answered, as far as the log says.
    package internal(set) var server = Server.storage
    /// Whether the log has a host or a bucket; otherwise ``bucketName`` is the first part of the path.
    package internal(set) var hasHost = true
    /// Whether the client's cache answered: then nothing was sent.
    package internal(set) var isFromCache = false

    /// A server that answers requests.
    package enum Server: Sendable {
        /// Cloud Storage, or Firestore.
        case storage
        /// A server of files of all kinds, whose requests count as if Cloud Storage had answered them.
        case files
        /// A server that has nothing to do with Firebase, in a log of a client that asks many.
        case otherHost
    }

    /// A number of the caller: the same address and program have the same, and few others do.
    package internal(set) var clientHash: UInt64 = 0
    /// A number for the request; `nil` where the log names requests not.
    private(set) var requestHash: UInt64?

    var bucket: Range<Int> = 0..<0
    var object: Range<Int> = 0..<0
    private var isBucketEncoded = false
    private var isObjectEncoded = false

    init(of text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The bucket, or the host where there is none.
    package var bucketName: String { isBucketEncoded ? string(bucket).percentDecoded : string(bucket) }

    /// The object's name; of a usage log's, quotes are doubled.
    package var objectName: String { isObjectEncoded ? string(object).percentDecoded : string(object) }

    /// A number of bucket and object as the log spells them: the same have the same, and few others do.
    var objectHash: UInt64 { hash(bucket) &* 0x9E37_79B9_7F4A_7C15 ^ hash(object) }

    /// Whether bucket and object are spelled in the log as they are named.
    func isOf(_ object: borrowing LoggedActivity.Object) -> Bool {
        isEqual(self.object, object.name) && isEqual(bucket, object.bucket)
    }

    /// Takes over who asked.
    mutating func setClient(address: Range<Int>?, agent: Range<Int>? = nil) {
        clientHash = hash(address ?? 0..<0) &* 0x9E37_79B9_7F4A_7C15 ^ hash(agent ?? 0..<0)
    }

    /// Takes over the name that the log has for the request.
    mutating func setID(_ id: Range<Int>?) { requestHash = id.flatMap { $0.isEmpty ? nil : hash($0) } }

    /// Takes over what an address in the text names; names are decoded when they are asked for.
    mutating func take(_ place: ObjectAddress) {
        operation = place.operation
        server = place.isOfFirebase ? .storage : .files
        hasHost = place.hasHost
        (bucket, isBucketEncoded) = (place.bucket, place.isBucketEncoded)
        (object, isObjectEncoded) = (place.object, true)
    }

    /// The usage that the request was, and what it was billed.
    var totals: UsageTotals {
        let byteCount = byteCount ?? 0
        let sent = TransferredBytes(header: 0, body: byteCount, wire: byteCount)
        let billed = operation.billed(status: status, byteCount: byteCount)
        return UsageTotals(requests: 1, received: .zero, sent: sent, billed: billed)
    }

    /// The request, with the texts of its names appended to others.
    func copied(to text: inout [UInt8]) -> LoggedRequest {
        var copy = self
        copy.bucket = text.count..<(text.count + bucket.count)
        text += self.text[bucket]
        copy.object = text.count..<(text.count + object.count)
        text += self.text[object]
        return copy
    }

    /// The request with empty names.
    var withoutNames: LoggedRequest {
        var copy = copy self
        (copy.bucket, copy.object) = (0..<0, 0..<0)
        return copy
    }

    /// The request, whose names are parts of another text.
    func with(text: UnsafeBufferPointer<UInt8>) -> LoggedRequest {
        var request = self
        request.text = text
        return request
    }

    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    private func isEqual(_ range: Range<Int>, _ name: String) -> Bool {
        let text = text[range]
        let areEqual = name.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(text) }
        return areEqual ?? name.utf8.elementsEqual(text)
    }

    private func hash(_ range: Range<Int>) -> UInt64 {
        ByteHash.hash(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[range]))
    }
}

/// Gathers the texts of a request that a format does not have side by side, decoded.
struct RequestText {
    private var bytes: [UInt8] = []

    /// Forgets what was gathered.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a text.
    mutating func append(_ text: some StringProtocol) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    /// Hands on a request whose texts are parts of what was gathered.
    func withRequest<Result>(_ body: (inout LoggedRequest) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { buffer in
            var request = LoggedRequest(of: buffer)
            return try body(&request)
        }
    }
}
