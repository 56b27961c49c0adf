// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import Wire

/// A listing request of the XML API, in either of its versions.
struct XMLListingQuery {
    /// Which of the two.
    enum Version {
        /// The first: continues behind a name, the marker.
        case markers
        /// The second: continues at a token.
        case tokens
    }

    let version: Version
    let prefix: String
    let delimiter: String?
    /// The name behind which the listing begins: `marker` of the first version, `start-after` of the second.
    let start: String?
    let token: String?
    /// The most entries, as the client wants it; no more than production gives.
    let entryCountMax: Int
    let tellsOwner: Bool
    let encodesNames: Bool

    init(_ target: RequestTarget) throws(XMLFailure) {
        switch target["list-type"] {
        case nil, "1": version = .markers
        case "2": version = .tokens
        default: throw .invalidArgument("list-type must be 1 or 2.")
        }
        switch target["encoding-type"] {
        case nil: encodesNames = false
        case "url": encodesNames = true
        default: throw .invalidArgument("encoding-type must be url.")
        }
        let requested = Int64(target.text("max-keys") ?? "\(ObjectListQuery.entryCountMax)")
        guard let requested, requested >= 0 else { throw .invalidArgument("max-keys must be a whole number from 0.") }
        entryCountMax = Int(min(requested, Int64(ObjectListQuery.entryCountMax)))
        prefix = target["prefix"] ?? ""
        delimiter = target.text("delimiter")
        start = target.text(version == .markers ? "marker" : "start-after")
        token = version == .tokens ? target.text("continuation-token") : nil
        tellsOwner = target["fetch-owner"] == "true"
    }

    /// For the store.
    ///
    /// A start that is a common prefix stands for all below it, as when a page ended there; any other start is a name,
    /// behind which the listing begins.
    var stored: ObjectListQuery {
        let isPrefix = delimiter.map { start?.hasSuffix($0) ?? false } ?? false
        return ObjectListQuery(
            prefix: prefix,
            delimiter: delimiter,
            // The least name behind another ends with a NUL more.
            startOffset: isPrefix ? nil : start.map { "\($0)\0" },
            pageToken: token ?? (isPrefix ? start.map(Self.token) : nil),
            maxResults: entryCountMax
        )
    }

    /// The store's token for the page behind an entry: its base64, as of production's v0 API.
    private static func token(behind entry: String) -> String {
        // Longer ones than names can be would be refused; none lies between them and their beginning.
        Data(entry.utf8.prefix(ObjectName.byteCountMax)).base64EncodedString()
    }
}
