// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which object a request line or an address is about.
///
/// Known are Cloud Storage for Firebase (`/v0/b/B/o/O`), its JSON API (`/storage/v1/b/B/o/O`, `/download/…`), and the XML API
/// (`storage.googleapis.com/B/O`, `B.storage.googleapis.com/O`); anything else is an object of its host by its path. Of the
/// query nothing is kept, so that no token and no signature gets further.
struct ObjectAddress: Sendable, Hashable {
    let bucket: String
    let object: String
    let operation: LoggedOperation

    /// Takes an address, or a path where the log does not tell the host.
    init(method: String, address: String) {
        var (host, path) = (Substring(), Substring(address))
        // A path may have an address in its query, which is none of its own.
        let scheme = path.prefix { $0.isASCII && $0.isLetter }
        if !scheme.isEmpty, path[scheme.endIndex...].hasPrefix("://") {
            path = path[scheme.endIndex...].dropFirst(3)
            let end = path.firstIndex { $0 == "/" || $0 == "?" } ?? path.endIndex
            (host, path) = (path[..<end], path[end...])
        }
        let query = path.firstIndex(of: "?").map { path[path.index(after: $0)...] } ?? ""
        path = path.prefix { $0 != "?" && $0 != "#" }
        let isMedia = query.split(separator: "&").contains("alt=media")
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if host.hasPrefix("firestore.") || path.contains("/google.firestore.v1.Firestore/")
            || path.contains("/databases/")
        {
            self.init(bucket: String(host), object: "", operation: .documents)
        } else if let place = segments.firstIndex(of: "b"),
            segments.dropFirst(place - segments.startIndex + 2).first == "o",
            place <= segments.startIndex + 3
        {
            let bucket = String(segments[place + 1]).percentDecoded
            let object = segments.dropFirst(place - segments.startIndex + 3).joined(separator: "/").percentDecoded
            let isDownload = isMedia || segments.first == "download"
            self.init(bucket: bucket, object: object, operation: Self.operation(method, object, isMedia: isDownload))
        } else {
            let isShared = host.isEmpty || host == "storage.googleapis.com" || host == "storage.cloud.google.com"
            let parts = isShared && segments.count > 1 ? segments.dropFirst() : segments
            let bucket = isShared ? String(segments.first ?? "") : Self.bucket(host)
            let object = parts.joined(separator: "/").percentDecoded
            self.init(bucket: bucket, object: object, operation: Self.operation(method, object, isMedia: true))
        }
    }

    private init(bucket: String, object: String, operation: LoggedOperation) {
        self.bucket = bucket
        self.object = object
        self.operation = operation
    }

    private static func bucket(_ host: Substring) -> String {
        let name = host.prefix { $0 != ":" }
        let suffix = ".storage.googleapis.com"
        return String(name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name)
    }

    private static func operation(_ method: String, _ object: String, isMedia: Bool) -> LoggedOperation {
        switch method {
        case "GET" where object.isEmpty: .list
        case "GET": isMedia ? .download : .metadata
        case "HEAD": .metadata
        case "PUT", "POST", "PATCH": .write
        case "DELETE": .delete
        default: .other
        }
    }
}

extension String {
    /// The text with each `%41` made the byte that it stands for; what stands for nothing stays.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        let source = Array(utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = Self.nibble(source[index + 1]), let low = Self.nibble(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func nibble(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
