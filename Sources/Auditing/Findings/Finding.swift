// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Something that an app downloads without need, and what would keep it from doing so.
package struct Finding: Sendable, Hashable {
    /// A way to load the feed that does not download these bytes, and what it was found to download.
    package struct Remedy: Sendable, Hashable {
        /// Its name.
        package let strategy: String
        /// The bytes of the bodies that it downloads in all.
        package let byteCount: Int64
    }

    /// From which share of all bytes on something is listed, in percent.
    static let percentMin = 1.0
    /// The objects and the screens that are named.
    static let partCountMax = 3

    /// Why the bytes were downloaded.
    package let cause: DownloadCause
    /// The bytes.
    package let amount: CauseTally.Amount
    /// Their share of all bytes, in percent.
    package let percent: Double
    /// The objects with the most of them, most first.
    package let topObjects: [CauseTally.Part]
    /// The pages of lists with the most of them, most first.
    package let topPages: [CauseTally.Part]
    /// The screen with the most of them; `nil` for none.
    package let topScreen: CauseTally.Part?
    /// The remedy that avoids the downloads; `nil` where no way is known.
    package internal(set) var remedy: Remedy?
    /// The strategy that the remedy changes; `nil` for the outcome's own.
    var changed: Strategy?
}

extension Finding {
    /// The findings of a tally, most bytes first.
    static func all(in tally: CauseTally) -> [Finding] {
        let all = Double(tally.byteCount)
        let findings = DownloadCause.allCases.filter(\.isWaste).compactMap { cause -> Finding? in
            let amount = tally.amount(of: cause)
            guard amount.byteCount > 0 else { return nil }
            let percent = 100 * Double(amount.byteCount) / all
            guard percent >= percentMin else { return nil }
            return Finding(
                cause: cause,
                amount: amount,
                percent: percent,
                topObjects: tally.topObjects(of: cause, atMost: partCountMax),
                topPages: tally.topPages(of: cause, atMost: partCountMax),
                topScreen: tally.topScreens(of: cause, atMost: 1).first
            )
        }
        // Sorting is stable: causes with as many bytes stay in their order.
        return findings.sorted { $0.amount.byteCount > $1.amount.byteCount }
    }
}
