// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

extension Response {
    /// Adds the fields that the Firebase API gives to all its answers (recorded from production in 2026).
    mutating func addFirebaseFields(for call: StorageCall) {
        guard status.code != 308 else { return }
        // Media are left alone, whatever their type is.
        if headers[.acceptRanges] == nil {
            let isJSON = headers[.contentType]?.hasPrefix("application/json") == true
            if isJSON { headers.set("X-Content-Type-Options", to: "nosniff") }
            if isJSON || status == .noContent { headers.allowAnyOrigin() }
        }
        addFirebaseCaching(for: call)
    }

    /// Adds the fields that the JSON API gives to all its answers (recorded from production in 2026).
    mutating func addJSONFields(for call: StorageCall) {
        // How far an upload has come is reported by the servers in front of the API, which add nothing.
        guard status.code != 308 else { return }
        headers[.vary] = headers[.vary] ?? "Origin, X-Origin"
        if status == .noContent { headers[.contentType] = "application/json" }
        addJSONCaching(for: call)
    }
}

/// The caching header fields, in each API's own words (recorded from production in 2026).
extension Response {
    private static let never = "no-cache, no-store, max-age=0, must-revalidate"
    private static let briefly = "private, max-age=0"
    private static let unchanged = "private, max-age=0, must-revalidate, no-transform"
    private static let longAgo = "Mon, 01 Jan 1990 00:00:00 GMT"

    /// Adds the fields about caching; media have said already how long they may be kept.
    mutating func addFirebaseCaching(for call: StorageCall) {
        // Of writes, only deletions say so.
        let isTold = call.isRead || call.method == .delete
        headers[.cacheControl] = headers[.cacheControl] ?? (isTold ? Self.briefly : nil)
        addExpiry(call.exchange.date)
    }

    /// Adds the fields about caching; media have said already how long they may be kept.
    mutating func addJSONCaching(for call: StorageCall) {
        headers[.cacheControl] = headers[.cacheControl] ?? jsonCaching(for: call)
        addExpiry(call.exchange.date)
    }

    private func jsonCaching(for call: StorageCall) -> String {
        guard call.isRead else { return Self.never }
        if call.jsonFailureForm == .text { return Self.briefly }
        return status.kind == .successful || status == .notModified ? Self.unchanged : Self.never
    }

    /// Says the same to caches of HTTP/1.0.
    private mutating func addExpiry(_ now: String) {
        switch headers[.cacheControl] {
        case Self.never:
            headers[.expires] = Self.longAgo
            headers.set("Pragma", to: "no-cache")
        case Self.briefly, Self.unchanged: headers[.expires] = now
        default: break
        }
    }
}

extension StorageCall {
    fileprivate var isRead: Bool { method == .get || method == .head }
}
