// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which connections belong to one user alone: a proxy's, or those of a program that acts for several, do not say whose app runs.
///
/// Remembers the last ones, up to twice ``countMax``, however long the log is.
struct ConnectionUsers {
    private static let countMax = 1 << 15
    private static let several: Int32 = -1

    private var recent: [Int64: Int32] = [:]
    private var earlier: [Int64: Int32] = [:]

    /// Returns whether a connection, which this user uses now, was not seen with another.
    mutating func isOwn(_ connection: Int64, of user: Int32) -> Bool {
        let known = recent[connection] ?? earlier[connection] ?? user
        if recent.count == Self.countMax, recent[connection] == nil { (earlier, recent) = (recent, [:]) }
        recent[connection] = known == user ? user : Self.several
        return known == user
    }
}
