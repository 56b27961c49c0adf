// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One metered request: who asked for what, how it ended, the bytes it moved and what it is billed as.
///
/// A request that lives long has several records, of which the first counts it. Bytes that belong to no request, such as
/// the SETTINGS of an HTTP/2 connection, have a record that counts none.
///
/// Copies share all but the times, so that the records of requests that were alike take little.
@dynamicMemberLookup
public struct UsageRecord: Sendable, Hashable {
    /// Microseconds since the Unix epoch at which the first byte of the request was read.
    public var startMicroseconds: Int64
    /// Microseconds from the first byte read to the last byte written.
    public var durationMicroseconds: Int64
    private var shared: Shared

    /// Creates a record.
    public init(
        startMicroseconds: Int64,
        durationMicroseconds: Int64,
        method: String,
        status: Int,
        outcome: Outcome,
        abortCause: AbortCause? = nil,
        attribution: UsageAttribution,
        received: TransferredBytes,
        sent: TransferredBytes,
        billed: BilledUsage,
        requestCount: Int64 = 1,
        notes: UsageNotes = .none
    ) {
        self.startMicroseconds = startMicroseconds
        self.durationMicroseconds = durationMicroseconds
        shared = Shared(
            Content(
                method: method,
                status: status,
                outcome: outcome,
                abortCause: abortCause,
                attribution: attribution,
                received: received,
                sent: sent,
                billed: billed,
                requestCount: requestCount
            ),
            notes: notes
        )
    }

    /// A record without its times.
    public var content: Content { shared.content }

    // Read for every request, so not by way of ``subscript(dynamicMember:)``, which takes longer.
    /// The bytes on the socket in both directions.
    package var wireByteCounts: (received: Int64, sent: Int64) {
        (shared.content.received.wire, shared.content.sent.wire)
    }

    /// The billed usage, and its service.
    package var billedOfService: (billed: BilledUsage, service: UsageAttribution.Service) {
        (shared.content.billed, shared.content.attribution.service)
    }

    /// The record that takes this one back: with it, the sums are as before.
    public var reversed: Self {
        var record = self
        var content = content
        content.received = content.received * -1
        content.sent = content.sent * -1
        content.billed = content.billed * -1
        content.requestCount = -content.requestCount
        record.shared = Shared(content, notes: shared.notes)
        return record
    }

    /// Takes records whose contents are known to be equal, as one is a copy of the other.
    package var contentID: ObjectIdentifier { ObjectIdentifier(shared) }

    /// Facts about the request that no sum has.
    package var notes: UsageNotes {
        get { shared.notes }
        set { shared = Shared(shared.content, notes: newValue) }
    }

    /// A part of ``content``.
    public subscript<Value>(dynamicMember part: WritableKeyPath<Content, Value>) -> Value {
        get { shared.content[keyPath: part] }
        set {
            var content = shared.content
            content[keyPath: part] = newValue
            shared = Shared(content, notes: shared.notes)
        }
    }

    /// A record without its times.
    public struct Content: Sendable, Hashable {
        /// The HTTP method, or an empty string when no request line could be read.
        public var method: String
        /// The HTTP status, or 0 when no response began.
        public var status: Int
        /// How the exchange ended.
        public var outcome: Outcome
        /// Why it was aborted, where that is known.
        public var abortCause: AbortCause?
        /// The target of the request.
        public var attribution: UsageAttribution
        /// Bytes from the client.
        public var received: TransferredBytes
        /// Bytes to the client, as far as the kernel accepted them.
        public var sent: TransferredBytes
        /// The billed usage of this request, by the published price rules.
        public var billed: BilledUsage
        /// The requests that the record counts: 1, or 0 for bytes of none, or of one that an earlier record counts; -1 where
        /// it takes another back.
        public var requestCount: Int64

        /// The client's cache outcome of an object's download; `nil` for everything else.
        public var cacheOutcome: CacheOutcome? {
            guard attribution.operation == UsageAttribution.downloadOperation else { return nil }
            return CacheOutcome(downloadStatus: status)
        }
    }

    /// How an exchange ended.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// The whole response was handed to the kernel.
        case complete
        /// The connection ended before the whole response was handed to the kernel.
        case aborted
        /// The bytes were no HTTP request, or the connection ended inside one.
        case malformed
    }

    private final class Shared: Sendable, Hashable {
        let content: Content
        let notes: UsageNotes

        init(_ content: Content, notes: UsageNotes) {
            self.content = content
            self.notes = notes
        }

        static func == (left: Shared, right: Shared) -> Bool { left === right || left.content == right.content }

        func hash(into hasher: inout Hasher) { hasher.combine(content) }
    }
}

/// Why an exchange broke off.
public enum AbortCause: String, Sendable, Hashable, Codable, CaseIterable {
    /// The client closed or reset the connection.
    case clientClosed
    /// The server ended the connection: it stopped, reached a timeout, or had to by a fault.
    case serverClosed
    /// The client reset the stream of HTTP/2.
    case clientCancelled
    /// The server reset the stream of HTTP/2.
    case serverCancelled
}

/// The client's cache outcome by a download's status.
public enum CacheOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// 200: the client had nothing, and got the whole object.
    case full
    /// 206: the client had a part, or wanted no more than one.
    case partial
    /// 304: the client had the object and asked whether it is still the same.
    case notModified

    /// Returns `nil` for a status that says nothing about a cache.
    package init?(downloadStatus status: Int) {
        switch status {
        case 200: self = .full
        case 206: self = .partial
        case 304: self = .notModified
        default: return nil
        }
    }
}

/// Which of the forms of an image an object is, by its name.
public enum ImageVariant: String, Sendable, Hashable, Codable, CaseIterable {
    /// The image that a list shows of a post, `owner/feed/0`.
    case thumbnail
    /// Any other image of a post, `owner/feed/1` and on.
    case full
    /// A smaller copy of any image, `name_200x200.jpg`, as the Firebase extension Resize Images makes it.
    case resized

    /// Returns `nil` for a name that denotes none of them.
    public init?(objectName: String) {
        let lastSegment = objectName.lastIndex(of: "/").map { objectName[$0...].dropFirst() } ?? objectName[...]
        if ImageFileName(lastSegment).isResized {
            self = .resized
        } else if let image = FeedImagePath(objectName: objectName) {
            self = image.index == 0 ? .thumbnail : .full
        } else {
            return nil
        }
    }
}
