// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A free quota of downloads, dated.
public struct QuotaProfile: Sendable, Hashable, Codable {
    /// The name of the profile.
    public let name: String
    /// The day on which its figures were last known to hold, as `YYYY-MM-DD`.
    public let asOf: String
    /// Bytes that may be downloaded each day.
    public let downloadBytesPerDay: Int64

    /// The 1 GB/day of Cloud Storage on the Spark plan, after which downloads stopped.
    ///
    /// Offered until 2026-02-03; since then Spark projects have no Cloud Storage at all (FAQ on the storage changes of
    /// September 2024, updated 2026-03-26). GB is decimal here, the stricter of the two readings.
    public static let spark2023 = Self(name: "spark-2023", asOf: "2026-02-03", downloadBytesPerDay: 1_000_000_000)

    /// The share of a day's quota that these bytes take, in percent.
    public func downloadPercent(of byteCount: Int64) -> Double {
        100 * Double(byteCount) / Double(downloadBytesPerDay)
    }
}
