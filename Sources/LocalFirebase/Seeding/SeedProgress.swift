// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How far the loading of a data set has come.
package struct SeedProgress: Sendable, Hashable {
    /// The images of the data set.
    package let imageCountTotal: Int
    /// The posts to load, whole ones only.
    package internal(set) var loaded = SeedCounts()
}

/// How the loading of a data set ended.
package enum SeedOutcome: Sendable, Hashable {
    /// Everything was loaded.
    case seeded(SeedCounts)
    /// An earlier run has loaded this very data set, and the data directory was left as it is.
    case alreadySeeded(SeedCounts)
}
