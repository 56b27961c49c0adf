// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The members of `request`, made when rules name them.
package final class RequestFields: RulesMapSource {
    private let method: RulesMethod
    private let path: RulesPath?
    private let time: Timestamp
    private let auth: (any RulesMapSource)?
    private let special: [String: RulesValue]

    /// Creates the members.
    ///
    /// - Parameters:
    ///   - method: The method that is asked about.
    ///   - path: The full path of the document, or of the collection of a query; `nil` where it is unknown.
    ///   - time: The time of the request.
    ///   - auth: The members of `request.auth`; `nil` for a caller without a token.
    ///   - special: The members that not all requests have.
    package init(
        _ method: RulesMethod,
        of path: RulesPath?,
        at time: Timestamp,
        auth: (any RulesMapSource)?,
        special: [String: RulesValue]
    ) {
        (self.method, self.path, self.time) = (method, path, time)
        (self.auth, self.special) = (auth, special)
    }

    package func value(of key: String) -> RulesValue? {
        switch key {
        case "auth": auth.map { .map(RulesMap($0)) } ?? .null
        case "fields": isRead ? .null : nil
        case "headers": .map(RulesMap())
        case "inTransaction": .boolean(!isRead)
        case "method": .string(method.rawValue)
        case "path": path.map(RulesValue.path) ?? .failure(.unknown)
        case "time": .timestamp(time)
        default: special[key]
        }
    }

    package var entries: [String: RulesValue] {
        ["auth", "fields", "headers", "inTransaction", "method", "path", "time"]
            .reduce(into: special) { $0[$1] = value(of: $1) }
    }

    package var byteCount: Int { special["resource"]?.byteCount ?? 0 }

    package var keyOrder: [String]? {
        let known = [
            "time", "auth", "headers", "inTransaction", "path", "transforms", "writeFields", "readFields", "fields",
            "query", "autoId", "resource", "method",
        ]
        let entries = entries
        return known.filter { entries[$0] != nil } + entries.keys.filter { !known.contains($0) }.sorted()
    }

    private var isRead: Bool { method == .get || method == .list }
}
