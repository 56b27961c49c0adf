// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How long and how many former versions of documents are kept.
enum VersionLimits {
    /// How far back reads may go.
    ///
    /// Production refuses read times of more than an hour ago, unless it recovers to points in time ("Point-in-time
    /// recovery", 2026).
    package static let retention = Duration.seconds(3_600)
    /// Of all documents together; the oldest go first, and reads no longer reach behind them.
    ///
    /// Our own choice: some hundreds of megabytes of typical documents.
    package static let countMax: Int64 = 500_000

    static let retentionMicroseconds = retention.components.seconds * 1_000_000
    /// How many one transaction removes at most.
    static let pruneCountMax: Int64 = 2_000
}
