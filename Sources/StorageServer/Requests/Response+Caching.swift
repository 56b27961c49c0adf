// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

/// What answers say to caches, in each API's own words (recorded from production in 2026).
extension Response {
    private static let never = "no-cache, no-store, max-age=0, must-revalidate"
    private static let briefly = "private, max-age=0"
    private static let unchanged = "private, max-age=0, must-revalidate, no-transform"
    private static let longAgo = "Mon, 01 Jan 1990 00:00:00 GMT"

    /// Adds the fields about caching; media have said already how long they may be kept.
    mutating func addCaching(for call: StorageCall) {
        let isRead = call.method == .get || call.method == .head
        if call.isFirebase {
            // Of writes, only deletions say so.
            let isTold = isRead || call.method == .delete
            headers[.cacheControl] = headers[.cacheControl] ?? (isTold ? Self.briefly : nil)
        } else {
            headers[.cacheControl] = headers[.cacheControl] ?? jsonCaching(isRead: isRead, call)
        }
        addExpiry(call.exchange.date)
    }

    private func jsonCaching(isRead: Bool, _ call: StorageCall) -> String {
        guard isRead else { return Self.never }
        if call.failureForm == .text { return Self.briefly }
        return status.kind == .successful || status == .notModified ? Self.unchanged : Self.never
    }

    /// Says the same to caches of HTTP/1.0.
    private mutating func addExpiry(_ now: String) {
        switch headers[.cacheControl] {
        case Self.never:
            headers[.expires] = Self.longAgo
            headers.set("Pragma", "no-cache")
        case Self.briefly, Self.unchanged: headers[.expires] = now
        default: break
        }
    }
}
