// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which connections belong to one user alone: a proxy's, or those of a program that acts for several, do not say whose app runs.
///
/// Remembers the last ones, however long the log is.
struct ConnectionUsers {
    private static let several: Int32 = -1

    private var users = RecentValues<Int64, Int32>(atLeast: 1 << 15)

    /// Returns whether a connection, which this user uses now, was not seen with another.
    mutating func isOwn(_ connection: Int64, of user: Int32) -> Bool {
        let isOwn = users[connection] ?? user == user
        users.set(isOwn ? user : Self.several, for: connection)
        return isOwn
    }
}
