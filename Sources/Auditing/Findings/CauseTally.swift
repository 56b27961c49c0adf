// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The bytes of each cause, the objects they were of and the screens they were for; tallies of parts of a log add up.
package struct CauseTally: Sendable, Hashable, Codable {
    /// Bytes, and the responses that brought them.
    package struct Amount: Sendable, Hashable, Codable {
        /// The bytes of the bodies.
        package private(set) var byteCount: Int64 = 0
        /// The responses.
        private(set) var responseCount: Int64 = 0

        mutating func add(_ byteCount: Int64, responseCount: Int64) {
            self.byteCount += byteCount
            self.responseCount += responseCount
        }
    }

    /// An object or a screen, and what it took.
    package struct Part: Sendable, Hashable {
        /// The name of the object, or the screen as logs name it.
        package let name: String
        /// The usage.
        package let amount: Amount
    }

    private var totals: [DownloadCause: Amount] = [:]
    private var objects: [DownloadCause: [String: Amount]] = [:]
    private var screens: [DownloadCause: [String: Amount]] = [:]

    /// Creates a tally of nothing.
    package init() {}

    /// Notes what a response brought for a cause.
    mutating func add(_ byteCount: Int, cause: DownloadCause, object: String?, screen: String) {
        let byteCount = Int64(byteCount)
        totals[cause, default: Amount()].add(byteCount, responseCount: 1)
        screens[cause, default: [:]][screen, default: Amount()].add(byteCount, responseCount: 1)
        if let object { objects[cause, default: [:]][object, default: Amount()].add(byteCount, responseCount: 1) }
    }

    /// Adds the tally of another part.
    mutating func add(_ other: CauseTally) {
        for (cause, amount) in other.totals {
            totals[cause, default: Amount()].add(amount.byteCount, responseCount: amount.responseCount)
        }
        Self.add(other.objects, to: &objects)
        Self.add(other.screens, to: &screens)
    }

    private static func add(
        _ other: [DownloadCause: [String: Amount]],
        to parts: inout [DownloadCause: [String: Amount]]
    ) {
        for (cause, amounts) in other {
            for (name, amount) in amounts {
                parts[cause, default: [:]][name, default: Amount()].add(
                    amount.byteCount,
                    responseCount: amount.responseCount
                )
            }
        }
    }

    /// The downloads of a cause.
    package func amount(of cause: DownloadCause) -> Amount { totals[cause] ?? Amount() }

    /// Whether all amounts are such as a part of a log can have.
    var isPlausible: Bool {
        let amounts = Array(totals.values) + (Array(objects.values) + screens.values).flatMap(\.values)
        return amounts.allSatisfy {
            StrategyPart.range.contains($0.byteCount) && StrategyPart.range.contains($0.responseCount)
        }
    }

    /// All bytes.
    package var byteCount: Int64 { totals.values.reduce(0) { $0 + $1.byteCount } }

    /// The bytes that an app could do without.
    var wastedByteCount: Int64 {
        totals.reduce(0) { $0 + ($1.key.isWaste ? $1.value.byteCount : 0) }
    }

    /// The objects that took the most bytes for a cause, most first.
    package func topObjects(of cause: DownloadCause, atMost countMax: Int) -> [Part] {
        Self.top(objects[cause], countMax: countMax)
    }

    /// The screens that took the most bytes for a cause, most first.
    package func topScreens(of cause: DownloadCause, atMost countMax: Int) -> [Part] {
        Self.top(screens[cause], countMax: countMax)
    }

    private static func top(_ amounts: [String: Amount]?, countMax: Int) -> [Part] {
        let parts = (amounts ?? [:]).map { Part(name: $0.key, amount: $0.value) }
        let sorted = parts.sorted { left, right in
            (right.amount.byteCount, left.name) < (left.amount.byteCount, right.name)
        }
        return Array(sorted.prefix(countMax))
    }
}

/// Why bytes of responses' bodies were downloaded; each byte has one cause.
package enum DownloadCause: String, Sendable, Hashable, CaseIterable, CodingKeyRepresentable, Codable {
    /// Images that were shown, or belong to a post that the user opened, and had not been loaded before.
    case needed
    /// The share of such images' bytes above the pixels of the place where they were shown; see ``DisplaySizes``.
    case oversized
    /// Images of posts that the user never opened, but for the one that the list shows.
    case overFetched
    /// Images that the same user had loaded before, in the same generation.
    case again
    /// Images loaded beforehand that were never requested.
    case prefetchedUnused
    /// Images that their server had replaced, as asking for them showed.
    case revalidated
    /// Parts of images that were no longer awaited.
    case aborted
    /// Refusals, and images that failed halfway.
    case failed
    /// Questions for images' addresses (`getDownloadURL`).
    case lookups
    /// Answers to queries.
    case documents

    /// Whether an app could do without these bytes, and show the same.
    package var isWaste: Bool { self != .needed && self != .documents }
}

extension DownloadCause {
    /// The cause as people read it.
    package var title: String {
        switch self {
        case .overFetched: "over-fetched"
        case .prefetchedUnused: "prefetched"
        case .needed, .oversized, .again, .revalidated, .aborted, .failed, .lookups, .documents: rawValue
        }
    }

    /// Its meaning.
    package var explanation: String {
        switch self {
        case .needed: "images that were shown, loaded for the first time"
        case .oversized: "what of these has more pixels than the place where they were shown"
        case .overFetched: "images of posts that the user never opened"
        case .again: "images that the same user had loaded before"
        case .prefetchedUnused: "images loaded beforehand that nobody asked for"
        case .revalidated: "images that had been replaced, as their server was asked"
        case .aborted: "parts of images that nobody waited for any more"
        case .failed: "refusals, and images that failed halfway"
        case .lookups: "answers to getDownloadURL"
        case .documents: "answers to queries"
        }
    }
}
