// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The freshness of a response (RFC 9111).
package struct Freshness: Hashable {
    /// Whether it may be kept at all.
    package var isStorable = true
    /// For how long it may be shown without asking.
    var lifetime = Duration.zero

    /// Reads `Cache-Control` and `Age`.
    package init(_ headers: HeaderFields) {
        var mustAsk = false
        for directive in (headers["Cache-Control"] ?? "").lowercased().split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch parts.first {
            case "no-store": isStorable = false
            case "no-cache": mustAsk = true
            case "max-age":
                let seconds = parts.count > 1 ? Int64(parts[1].trimmingCharacters(in: ["\""])) ?? 0 : 0
                lifetime = .seconds(seconds.clamped)
            default: continue
            }
        }
        let age = Int64(headers["Age"] ?? "") ?? 0
        lifetime = mustAsk ? .zero : max(.zero, lifetime - .seconds(age.clamped))
    }

    /// Until when an image that came now is fresh, in microseconds since 1970.
    package func freshUntil(from now: Int64) -> Int64 { now + lifetime.components.seconds * 1_000_000 }
}

extension Int64 {
    /// Seconds from none to a year's; longer ones say the same.
    fileprivate var clamped: Int64 { Swift.min(Swift.max(0, self), 31_536_000) }
}

/// The part of an image that a response holds, `bytes 100-199/200`.
struct ContentRange: Hashable {
    let start: Int
    /// The bytes of the part.
    let byteCount: Int
    /// The bytes of the whole image, if the server knows them.
    let wholeByteCount: Int?

    init?(_ text: String?) {
        guard let text, text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" })
        guard parts.count == 3, let start = Int(parts[0]), let end = Int(parts[1]), start >= 0, end >= start else {
            return nil
        }
        self.start = start
        byteCount = end - start + 1
        wholeByteCount = Int(parts[2]).flatMap { $0 > end ? $0 : nil }
    }
}
