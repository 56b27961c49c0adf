// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The `Content-Range` of a request to a resumable upload (RFC 9110 section 14.4, as Google extends it).
struct ContentRange: Equatable {
    /// The first byte; `nil` when the request only asks how far the upload has come, as in `bytes */300000`.
    var first: Int64?
    /// The last byte; `nil` when it is whatever the body ends with, as in `bytes 0-*/*`.
    var last: Int64?
    /// The size of the object; `nil` while it is not known.
    var total: Int64?

    /// Reads a header field; `nil` for one that is not of the form.
    init?(_ header: String) {
        let unit = "bytes"
        guard header.lowercased().hasPrefix(unit) else { return nil }
        let sides = header.dropFirst(unit.count).drop { $0 == " " || $0 == "=" }.split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        guard sides.count == 2, let total = Self.bound(sides[1]) else { return nil }
        self.total = total
        if sides[0] == "*" { return }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.bound(ends[0]), let first, let last = Self.bound(ends[1]) else {
            return nil
        }
        // The range of an empty chunk ends before it begins.
        if let last, last < first - 1 { return nil }
        self.first = first
        self.last = last
    }

    /// The number of bytes that the body is said to have.
    var byteCount: Int64? {
        guard let first, let last else { return nil }
        return last - first + 1
    }

    /// A number, or an inner `nil` for an asterisk.
    private static func bound(_ text: Substring) -> Int64?? {
        if text == "*" { return .some(nil) }
        guard let number = Int64(text), number >= 0, number < .max else { return nil }
        return number
    }
}
