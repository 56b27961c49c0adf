// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The entry of a price list for one item.
public struct Charge: Sendable, Hashable {
    /// The charged item.
    public let item: BillableItem
    /// The free amount; `nil` where all is charged.
    public let free: FreeAmount?
    /// The prices, one for each stretch of a month's amount, in order; none where nothing is charged beyond what is free.
    public let prices: [Price]
    /// The day on which this was last known to hold, as `YYYY-MM-DD`.
    public let asOf: String
    /// How sure it is.
    public let certainty: Certainty
    /// Where it was read.
    public let source: String

    /// An amount that costs nothing.
    public struct FreeAmount: Sendable, Hashable {
        /// After which time it is granted again.
        public enum Period: String, Sendable, Hashable, CaseIterable {
            case day, month
        }

        /// Bytes or operations.
        public let amount: Int64
        /// After which time it is granted again.
        public let period: Period
    }

    /// The price of one tier of a month's amount.
    ///
    /// Stretches count all that was used in the month, and what is free lies at the bottom of the first: our reading of
    /// the published tables (2026-11), which do not say.
    public struct Price: Sendable, Hashable {
        /// US dollars for `per` bytes or operations.
        public let usd: Decimal
        /// The bytes or operations at this price.
        public let per: Int64
        /// The amount at which the stretch ends; `nil` for the last one.
        public let upTo: Int64?
    }

    /// How sure a figure is.
    public enum Certainty: String, Sendable, Hashable, CaseIterable {
        /// Read on an official page.
        case documented
        /// Quoted by others from an official page.
        case secondHand = "second-hand"
        /// From memory, or inferred.
        case unverified
    }
}
