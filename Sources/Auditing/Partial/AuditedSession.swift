// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The session that was audited, as reports show it; those of a log's parts add up to the whole log's.
package struct AuditedSession: Sendable, Hashable, Codable {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The log's path, as it was given.
    package internal(set) var log: String
    /// When the session began, by its header.
    let createdAt: String
    /// The users, in the order of their names.
    private(set) var clients: [String]
    /// The number of views.
    package private(set) var viewCount: Int
    /// The source of a log whose views were inferred.
    let imported: SessionHeader.Imported?
    private var lastMillisecond: Int64

    /// Describes a log that was read from a path.
    init(_ header: SessionHeader, of users: [UserViews], from log: String) {
        self.log = log
        createdAt = header.createdAt.text
        imported = header.imported
        (clients, viewCount, lastMillisecond) = ([], 0, 0)
        add(users)
        clients.sort()
    }

    /// Describes a log of many users, a group of them at a time.
    package init(_ sessions: SessionGroups, from log: String) async throws {
        let empty = Self(sessions.header, of: [], from: log)
        let parts = try await sessions.onAllCores(startingWith: empty) { session, users in session.add(users) }
        self = parts[0]
        clients.sort()
        for part in parts.dropFirst() { _ = add(part) }
    }

    /// Adds users, none of whom is there.
    private mutating func add(_ users: [UserViews]) {
        clients += users.map(\.client)
        viewCount += users.reduce(0) { $0 + $1.views.count }
        for user in users { lastMillisecond = user.views.reduce(lastMillisecond) { max($0, $1.view.atMilliseconds) } }
    }

    /// The number of users.
    package var clientCount: Int { clients.count }

    /// The days that the log covers, each begun one counted.
    package var dayCount: Int64 { 1 + lastMillisecond / Self.millisecondsPerDay }

    /// Whether it has the same views of the same log, whatever the log is called.
    func isOfUsers(of other: AuditedSession) -> Bool {
        var renamed = self
        renamed.log = other.log
        return renamed == other
    }

    /// Adds another part of the same log; returns a user who is in both, and then nothing was added.
    mutating func add(_ other: AuditedSession) -> String? {
        if let both = Set(clients).intersection(other.clients).min() { return both }
        clients = (clients + other.clients).sorted()
        viewCount += other.viewCount
        lastMillisecond = max(lastMillisecond, other.lastMillisecond)
        return nil
    }
}
