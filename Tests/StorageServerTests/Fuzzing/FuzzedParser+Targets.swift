// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

@testable import StorageServer

extension FuzzedParser {
    /// A key that no input can have signed by.
    static let secretKeys: SigningKeys = {
        var keys = SigningKeys()
        keys.addSecret("secret", for: "a")
        return keys
    }()

    /// A pattern on the first line matches no name behind it that does not begin as it does, and each name itself.
    static func checkGlob(_ text: String) throws {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, let name = ObjectName(String(lines[1])) else { return }
        var escaped = ""
        for scalar in name.description.unicodeScalars { escaped.unicodeScalars += ["\\", scalar] }
        if let own = try? ObjectGlob(escaped) { try promise("names match themselves", own.matches(name)) }
        guard let glob = try? ObjectGlob(String(lines[0])), glob.matches(name) else { return }
        let start = glob.literalPrefix.utf8
        try promise("matches have the prefix", name.description.utf8.starts(with: start))
    }

    /// A target, or the query of one, has a place in an API at most, and is not signed by a key that no one has.
    static func checkSignature(_ text: String) throws {
        let path = text.hasPrefix("/") ? text : "/bkt/a?\(text)"
        guard let call = StorageCall.imagined(.get, path, [("x-goog-a", "b")]) else { return }
        call.target.route()
        try promise("names come back", PercentCoding.decode(PercentCoding.encode(text)) == text)
        if let query = try? XMLListingQuery(call.target) {
            try promise("pages are bounded", (0...ObjectListQuery.entryCountMax).contains(query.entryCountMax))
            _ = query.stored
        }
        if let url = try? SignedURL(call.target.query) {
            try? url.judge(call, keys: SigningKeys(), now: url.signedAt)
            let isSigned = (try? url.judge(call, keys: secretKeys, now: url.signedAt)) != nil
            try promise("signatures are not made up", !isSigned)
            try promise("URLs expire", (try? url.judge(call, keys: SigningKeys(), now: url.expiresAt + 1)) == nil)
        }
        if let url = try? LegacySignedURL(call.target) {
            let isSigned = (try? url.judge(call, keys: secretKeys, now: url.expiresAt)) != nil
            try promise("signatures are not made up", !isSigned)
        }
    }
}
