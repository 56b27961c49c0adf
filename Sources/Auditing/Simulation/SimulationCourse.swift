// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// How time passes in a simulation: how long views take, by the model of a network, and when the bytes are downloaded.
struct SimulationCourse: Sendable {
    private let strategy: Strategy
    private let network: Network
    private let rules: LinkRules
    /// The numbers of the views that are drawn and are not yet.
    private var untraced: [Int]
    private let firstTraced: Int?
    private var links: [String: SimulatedLink] = [:]
    private var views: [SessionView.Kind: SimulatedFigures.View] = [:]
    /// The view whose steps are being taken, and how long they took.
    private var open: (number: Int, kind: SessionView.Kind, time: ViewTime?)?
    private var waterfalls: [Waterfall] = []
    private var downloads: [Int64: Int64] = [:]
    private var screens = ScreenTally()
    /// How long each step took; `nil` for one that asked for nothing.
    private(set) var times: [ViewTime?] = []

    init(of log: SessionLog, over network: Network, strategy: Strategy, rules: LinkRules) {
        self.strategy = strategy
        self.network = network
        self.rules = rules
        untraced = TracedViews(of: log)?.numbers ?? []
        firstTraced = untraced.first
    }

    /// Takes in a step, and what the clients counted before and after it.
    mutating func add(
        _ led: SimulatedClient.Step,
        of step: ReplayPlan.Step,
        counts: ClientCounts,
        since before: ClientCounts
    ) {
        let view = step.view
        var link = links[view.client] ?? SimulatedLink(network, strategy: strategy, rules: rules)
        let timing = link.timing(of: led, at: 1_000_000 * view.atMilliseconds)
        if view.action == .relaunch { link.close() }
        links[view.client] = link
        times.append(timing?.time)
        screens.add(led, of: step)
        if let open, open.number == step.number {
            self.open?.time = open.time?.followed(by: timing?.time) ?? timing?.time
        } else {
            closeView()
            open = (step.number, view.action.kind, timing?.time)
        }
        open.map { views[$0.kind, default: SimulatedFigures.View()].add(counts, since: before) }
        downloads[view.atMilliseconds / 60_000, default: 0] += led.imageByteCount
        // With another page size a view may take several steps, the first of which is drawn.
        guard let timing, let place = untraced.firstIndex(of: step.number) else { return }
        untraced.remove(at: place)
        waterfalls.append(
            Waterfall(
                of: timing,
                atMilliseconds: view.atMilliseconds,
                isReturn: step.number != firstTraced,
                screen: view.action.page
            )
        )
    }

    /// With another page size a view takes several steps, one after the other: it is one view nevertheless.
    private mutating func closeView() {
        guard let open else { return }
        views[open.kind, default: SimulatedFigures.View()].count += 1
        views[open.kind, default: SimulatedFigures.View()].times.add(open.time)
    }

    mutating func figures(_ causes: CauseTally) -> SimulatedFigures {
        closeView()
        open = nil
        return SimulatedFigures(
            views: views,
            screens: screens.usages,
            causes: causes,
            waterfalls: waterfalls,
            downloadsByMinute: downloads
        )
    }
}

extension SimulatedClient.Step {
    /// The bytes that Cloud Storage sent for the step.
    fileprivate var imageByteCount: Int64 {
        let images = (shown + prefetched).reduce(0) { $0 + ($1.exchange?.byteCount ?? 0) }
        return Int64(images + lookups.reduce(0) { $0 + $1.exchange.byteCount })
    }
}

extension SimulatedFigures.View {
    fileprivate mutating func add(_ counts: ClientCounts, since before: ClientCounts) {
        requestCount += counts.requests - before.requests
        byteCount += counts.bodyBytes - before.bodyBytes
    }
}
