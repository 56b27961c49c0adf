// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// How time passes in a simulation, user by user: how long views take, by the model of a network, and when the bytes are
/// downloaded.
struct SimulationCourse: Sendable {
    private let strategy: Strategy
    private let network: Network
    private let rules: LinkRules
    private var link: SimulatedLink
    /// The views that are drawn, and the numbers of those that are not yet.
    private var traced: TracedViews?
    private var untraced: [Int] = []
    private var views: [SessionView.Kind: SimulatedFigures.View] = [:]
    /// The view whose steps are being taken, and how long they took.
    private var open: (number: Int, kind: SessionView.Kind, time: ViewTime?)?
    private(set) var waterfalls: [Waterfall] = []
    private var downloads: [Int64: Int64] = [:]
    /// By the numbers of screens.
    private var screens: [ScreenUsage] = []

    init(over network: Network, strategy: Strategy, rules: LinkRules) {
        (self.strategy, self.network, self.rules) = (strategy, network, rules)
        link = SimulatedLink(network, strategy: strategy, rules: rules)
    }

    /// Draws other views from now on, in place of those that were drawn.
    mutating func draw(_ traced: TracedViews) {
        (self.traced, untraced) = (traced, traced.numbers)
        waterfalls = []
    }

    /// Begins with a user's views.
    mutating func begin() { link = SimulatedLink(network, strategy: strategy, rules: rules) }

    /// Takes in a step for a view, and what the clients counted before and after it.
    mutating func add(
        _ step: SimulatedStep,
        of view: SessionView,
        number: Int,
        at place: PlaceTable.Place,
        counts: (before: ClientCounts, after: ClientCounts),
        images: ImageTable
    ) {
        let time = link.times(of: step, at: 1_000_000 * view.atMilliseconds)
        if view.action == .relaunch { link.close() }
        while screens.count <= place.screen { screens.append(ScreenUsage()) }
        screens[place.screen].add(step, isNew: open?.number != number, in: images)
        if let open, open.number == number {
            self.open?.time = open.time?.followed(by: time) ?? time
        } else {
            closeView()
            open = (number, view.action.kind, time)
        }
        open.map { views[$0.kind, default: SimulatedFigures.View()].add(counts.after, since: counts.before) }
        downloads[view.atMilliseconds / 60_000, default: 0] += step.imageByteCount(images)
        // With another page size a view may take several steps, the first of which is drawn.
        guard time != nil, let traced, view.client == traced.client, let index = untraced.firstIndex(of: number)
        else { return }
        untraced.remove(at: index)
        waterfalls.append(
            Waterfall(
                of: link,
                images: images,
                atMilliseconds: view.atMilliseconds,
                isReturn: number != traced.numbers.first,
                screen: view.action.page
            )
        )
    }

    /// Ends with a user's views.
    mutating func end() {
        closeView()
        open = nil
    }

    /// With another page size a view takes several steps, one after the other: it is one view nevertheless.
    private mutating func closeView() {
        guard let open else { return }
        views[open.kind, default: SimulatedFigures.View()].count += 1
        views[open.kind, default: SimulatedFigures.View()].times.add(open.time)
    }

    /// The figures of all users that were added.
    func figures(causes: CauseTally, places: PlaceTable) -> SimulatedFigures {
        let shown = zip(places.screens, screens).filter(\.0.isShown).map { ($0.name, $1) }
        return SimulatedFigures(
            views: views,
            screens: Dictionary(uniqueKeysWithValues: shown),
            causes: causes,
            waterfalls: waterfalls,
            downloadsByMinute: downloads
        )
    }
}

extension SimulatedStep {
    /// The bytes that Cloud Storage sent for the step.
    fileprivate func imageByteCount(_ images: ImageTable) -> Int64 {
        var byteCount = 0
        forEachObjectCost(in: images) { byteCount += $0.byteCount }
        return Int64(byteCount)
    }
}

extension SimulatedFigures.View {
    fileprivate mutating func add(_ counts: ClientCounts, since before: ClientCounts) {
        requestCount += counts.requests - before.requests
        byteCount += counts.bodyBytes - before.bodyBytes
    }
}
