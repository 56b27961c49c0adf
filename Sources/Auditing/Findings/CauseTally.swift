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

        mutating func add(_ other: Amount) {
            byteCount += other.byteCount
            responseCount += other.responseCount
        }

        /// Adds a response.
        mutating func add(_ byteCount: Int) {
            self.byteCount += Int64(byteCount)
            responseCount += 1
        }

        fileprivate var isPlausible: Bool {
            StrategyPart.range.contains(byteCount) && StrategyPart.range.contains(responseCount)
        }
    }

    /// An object, a page or a screen, and what it took.
    package struct Part: Sendable, Hashable {
        /// The name of the object, or the page or screen as reports name it.
        package let name: String
        /// The usage.
        package let amount: Amount
    }

    /// Where something was shown: the page of a list, and the screen that the page is of.
    struct Place: Sendable, Hashable {
        let page: String
        let screen: String
    }

    /// The part of a screen in a cause.
    private struct Screen: Sendable, Hashable, Codable {
        var amount = Amount()
        var objects: [String: Amount] = [:]

        mutating func add(_ other: Screen) {
            amount.add(other.amount)
            for (name, amount) in other.objects { objects[name, default: Amount()].add(amount) }
        }
    }

    private var totals: [DownloadCause: Amount] = [:]
    private var pages: [DownloadCause: [String: Amount]] = [:]
    private var screens: [DownloadCause: [String: Screen]] = [:]

    /// Creates a tally of nothing.
    package init() {}

    /// Notes what responses brought for a cause.
    mutating func add(
        _ byteCount: Int,
        responseCount: Int64 = 1,
        cause: DownloadCause,
        object: String?,
        at place: Place
    ) {
        let amount = Amount(byteCount: Int64(byteCount), responseCount: responseCount)
        add(amount, cause: cause, at: place)
        if let object { add(amount, cause: cause, object: object, onScreen: place.screen) }
    }

    /// Notes what responses brought for a cause, whatever the objects.
    mutating func add(_ amount: Amount, cause: DownloadCause, at place: Place) {
        totals[cause, default: Amount()].add(amount)
        pages[cause, default: [:]][place.page, default: Amount()].add(amount)
        screens[cause, default: [:]][place.screen, default: Screen()].amount.add(amount)
    }

    /// Notes which object it was that was noted for a screen.
    mutating func add(_ amount: Amount, cause: DownloadCause, object: String, onScreen screen: String) {
        screens[cause, default: [:]][screen, default: Screen()].objects[object, default: Amount()].add(amount)
    }

    /// Adds the tally of another part.
    mutating func add(_ other: CauseTally) {
        for (cause, amount) in other.totals { totals[cause, default: Amount()].add(amount) }
        for (cause, amounts) in other.pages {
            for (name, amount) in amounts { pages[cause, default: [:]][name, default: Amount()].add(amount) }
        }
        for (cause, parts) in other.screens {
            for (name, screen) in parts { screens[cause, default: [:]][name, default: Screen()].add(screen) }
        }
    }

    /// The downloads of a cause.
    package func amount(of cause: DownloadCause) -> Amount { totals[cause] ?? Amount() }

    /// Whether all amounts are such as a part of a log can have.
    var isPlausible: Bool {
        let ofScreens = screens.values.flatMap(\.values).flatMap { [$0.amount] + $0.objects.values }
        return (Array(totals.values) + pages.values.flatMap(\.values) + ofScreens).allSatisfy(\.isPlausible)
    }

    /// All bytes.
    package var byteCount: Int64 { totals.values.reduce(0) { $0 + $1.byteCount } }

    /// The bytes that an app could do without.
    var wastedByteCount: Int64 {
        totals.reduce(0) { $0 + ($1.key.isWaste ? $1.value.byteCount : 0) }
    }
}

extension CauseTally {
    /// The objects that took the most bytes for a cause, most first; of one screen where it is given.
    package func topObjects(of cause: DownloadCause, on screen: String? = nil, atMost countMax: Int = .max) -> [Part] {
        var amounts: [String: Amount] = [:]
        for (name, part) in screens[cause] ?? [:] where screen == nil || screen == name {
            for (object, amount) in part.objects { amounts[object, default: Amount()].add(amount) }
        }
        return Self.top(amounts, countMax: countMax)
    }

    /// The pages of lists that took the most bytes for a cause, most first.
    package func topPages(of cause: DownloadCause, atMost countMax: Int) -> [Part] {
        Self.top(pages[cause] ?? [:], countMax: countMax)
    }

    /// The screens that took the most bytes for a cause, most first.
    package func topScreens(of cause: DownloadCause, atMost countMax: Int = .max) -> [Part] {
        Self.top((screens[cause] ?? [:]).mapValues(\.amount), countMax: countMax)
    }

    private static func top(_ amounts: [String: Amount], countMax: Int) -> [Part] {
        let parts = amounts.map { Part(name: $0.key, amount: $0.value) }
        let sorted = parts.sorted { left, right in
            (right.amount.byteCount, left.name) < (left.amount.byteCount, right.name)
        }
        return Array(sorted.prefix(countMax))
    }
}
