// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which object a request line or an address is about, as parts of the text that it is in.
///
/// Known are Cloud Storage for Firebase (`/v0/b/B/o/O`), its JSON API (`/storage/v1/b/B/o/O`, `/download/…`), and the XML API
/// (`storage.googleapis.com/B/O`, `B.storage.googleapis.com/O`); anything else is an object of its host by its path. Of the
/// query nothing is kept, so that no token and no signature gets further.
struct ObjectAddress {
    /// The bucket, or the host where there is none.
    private(set) var bucket = 0..<0
    private(set) var isBucketEncoded = false
    /// The object's name, percent-encoded.
    private(set) var object = 0..<0
    private(set) var operation = LoggedOperation.other
    /// Whether the address is one of Cloud Storage's or Firestore's, by its host or by its path.
    private(set) var isOfFirebase = false
    /// Whether there was a host, or a bucket in the path.
    private(set) var hasHost = true

    /// Takes an address, or a path where the log has no host.
    init(method: Range<Int>?, address: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
        // A path may have another address in its query.
        let schemeEnd = address.first { !Self.isLetter(text[$0]) } ?? address.upperBound
        let rest = schemeEnd..<address.upperBound
        guard schemeEnd > address.lowerBound, ByteSearch.starts(text, at: rest, with: "://") else {
            self.init(method: method, host: 0..<0, target: address, in: text)
            return
        }
        let afterScheme = schemeEnd + 3..<address.upperBound
        let end = Self.endOfHost(afterScheme, in: text)
        let host = afterScheme.lowerBound..<end
        self.init(method: method, host: host, target: end..<address.upperBound, in: text)
    }

    /// Takes a host, which may be empty, and a path with its query.
    init(method: Range<Int>?, host: Range<Int>, target: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
        let host = host.lowerBound..<Self.endOfHost(host, in: text)
        let question = ByteSearch.first(UInt8(ascii: "?"), in: text, at: target)
        let beforeQuery = target.lowerBound..<(question ?? target.upperBound)
        let fragment = ByteSearch.first(UInt8(ascii: "#"), in: text, at: beforeQuery)
        let path = beforeQuery.lowerBound..<(fragment ?? beforeQuery.upperBound)
        let isMedia = question.map { Self.isMedia($0 + 1..<target.upperBound, in: text) } ?? false
        let segments = PathSegments(of: path, in: text)
        if segments.areFirestore || ByteSearch.starts(text, at: host, with: "firestore.") {
            bucket = host
            operation = .documents
            isOfFirebase = true
        } else if let place = segments.place {
            (bucket, isBucketEncoded) = (place.bucket, true)
            object = place.object
            operation = Self.operation(method, object: object, isMedia: isMedia || segments.areDownload, in: text)
            isOfFirebase = true
        } else {
            takeFile(host: host, segments: segments, in: text)
            operation = Self.operation(method, object: object, isMedia: true, in: text)
        }
    }

    private mutating func takeFile(host: Range<Int>, segments: PathSegments, in text: UnsafeBufferPointer<UInt8>) {
        let isSharedHost =
            ByteSearch.isEqual(text, at: host, to: "storage.googleapis.com")
            || ByteSearch.isEqual(text, at: host, to: "storage.cloud.google.com")
        let isShared = host.isEmpty || isSharedHost
        object = isShared ? segments.allButFirst ?? segments.all : segments.all
        bucket = isShared ? segments.first : Self.bucket(host, in: text)
        isOfFirebase = isSharedHost || Self.hosts.contains { ByteSearch.ends(text, at: host, with: $0) }
        hasHost = !host.isEmpty
    }

    /// The ends of hosts of Cloud Storage whose first part is a bucket's name.
    private static let hosts: [StaticString] = [".storage.googleapis.com", ".firebasestorage.app"]

    private static func bucket(_ host: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let name = host.lowerBound..<(ByteSearch.first(UInt8(ascii: ":"), in: text, at: host) ?? host.upperBound)
        let suffix: StaticString = ".storage.googleapis.com"
        guard ByteSearch.ends(text, at: name, with: suffix) else { return name }
        return name.lowerBound..<name.upperBound - suffix.utf8CodeUnitCount
    }

    private static func endOfHost(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int {
        range.first { text[$0] == UInt8(ascii: "/") || text[$0] == UInt8(ascii: "?") } ?? range.upperBound
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether a parameter of the query asks for the object's bytes.
    private static func isMedia(_ query: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = query.lowerBound
        while start <= query.upperBound {
            let end = ByteSearch.first(UInt8(ascii: "&"), in: text, at: start..<query.upperBound) ?? query.upperBound
            if ByteSearch.isEqual(text, at: start..<end, to: "alt=media") { return true }
            start = end + 1
        }
        return false
    }

    private static func operation(
        _ method: Range<Int>?,
        object: Range<Int>,
        isMedia: Bool,
        in text: UnsafeBufferPointer<UInt8>
    ) -> LoggedOperation {
        // A log without methods is one of downloads.
        func isMethod(_ name: StaticString) -> Bool {
            method.map { ByteSearch.isEqual(text, at: $0, to: name) } ?? false
        }
        if method == nil || isMethod("GET") { return object.isEmpty ? .list : isMedia ? .download : .metadata }
        if isMethod("HEAD") { return .metadata }
        if isMethod("PUT") || isMethod("POST") || isMethod("PATCH") { return .write }
        return isMethod("DELETE") ? .delete : .other
    }
}
