// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How long the past is kept.
package enum VersionLimits {
    /// How far back a read goes: one hour without point-in-time recovery.
    ///
    /// Source: facts, §4 (2026-11).
    package static let retention = Duration.seconds(3_600)

    /// How many versions too old to be read a commit clears away at most.
    static let prunedCountMax = 64
}
