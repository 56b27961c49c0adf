// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// The figures that only a simulation has of a strategy.
package struct SimulatedFigures: Sendable, Hashable {
    /// The usage of views of one kind.
    package struct View: Sendable, Hashable, Codable {
        /// The views.
        package internal(set) var count: Int64 = 0
        /// The requests made for them.
        package internal(set) var requestCount: Int64 = 0
        /// The bytes of the responses' bodies.
        package internal(set) var byteCount: Int64 = 0
        /// How long the users waited.
        package internal(set) var times = ViewTimes()

        mutating func add(_ other: View) {
            count += other.count
            requestCount += other.requestCount
            byteCount += other.byteCount
            times.add(other.times)
        }
    }

    /// The usage of the views, by their kind.
    package let views: [SessionView.Kind: View]
    /// The usage of each screen, by its name.
    package let screens: [String: ScreenUsage]
    /// Why each byte was downloaded.
    package let causes: CauseTally
    /// The waterfalls of some views.
    package let waterfalls: [Waterfall]
    /// The bytes that Cloud Storage sent, by the minute of the session.
    package let downloadsByMinute: [Int64: Int64]

    /// Creates figures.
    package init(
        views: [SessionView.Kind: View] = [:],
        screens: [String: ScreenUsage] = [:],
        causes: CauseTally = CauseTally(),
        waterfalls: [Waterfall] = [],
        downloadsByMinute: [Int64: Int64] = [:]
    ) {
        self.views = views
        self.screens = screens
        self.causes = causes
        self.waterfalls = waterfalls
        self.downloadsByMinute = downloadsByMinute
    }

    /// How long the users waited, of views of every kind.
    var allTimes: ViewTimes { views.values.reduce(into: ViewTimes()) { $0.add($1.times) } }
}
