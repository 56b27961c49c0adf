// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How soon an image is wanted; of equal ones, what was asked for first is loaded first.
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Perhaps later: takes at most a third of the connections, and only when nothing else waits.
    case prefetch
    /// Near the screen.
    case low
    /// On the screen.
    case normal
    /// The loads that the user waits for.
    case high

    /// Compares by how soon.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
