// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering
import SessionLog

/// A strategy simulated for one user after the other; what all of them come to is added up.
struct StrategySimulation: Sendable {
    /// The figures that a simulation is for: the fewer, the faster.
    enum Extent: Sendable {
        /// The usage alone.
        case usage
        /// All figures.
        case figures
        /// All figures, and the requests of each step.
        case taped
    }

    /// The requests of a step of a view.
    struct TapedStep: Sendable {
        let number: Int
        let requests: [TapedRequest]
    }

    /// Tables larger than this begin again at the next user, so that their size does not grow with the log's.
    private static let imageCountMax = 200_000

    let strategy: Strategy
    private let extent: Extent
    private let paging: ReplayPaging
    private let catalog: FeedCatalog
    private var feed: SimulatedFeed
    private var client: SimulatedClient
    private var step = SimulatedStep()
    private var places = PlaceTable()
    private var tally = SimulationTally()
    private var attribution: CauseAttribution
    private var causes = CauseTally()
    private var course: SimulationCourse
    private(set) var tape: [TapedStep] = []

    init(
        _ strategy: Strategy,
        of header: SessionHeader,
        catalog: FeedCatalog,
        extent: Extent,
        network: Network,
        display: DisplaySizes,
        rules: LinkRules
    ) {
        (self.strategy, self.catalog, self.extent) = (strategy, catalog, extent)
        paging = ReplayPaging(header, strategy: strategy)
        feed = SimulatedFeed(catalog, strategy: strategy)
        client = SimulatedClient(strategy, pageSize: paging.pageSize)
        attribution = CauseAttribution(display: display)
        course = SimulationCourse(over: network, strategy: strategy, rules: rules)
    }

    /// Draws these views from now on, in place of those that were drawn.
    mutating func draw(_ traced: TracedViews) { course.draw(traced) }

    /// Takes a user's steps.
    ///
    /// - Throws: ``SimulationFailure``, or `CancellationError`.
    mutating func add(_ user: UserViews) async throws {
        attribution.begin(opening: extent == .usage ? [] : user.openedPosts)
        course.begin()
        try await walk(user) { simulation, step, view, number, before in
            simulation.take(step, of: view, number: number, since: before)
        }
        attribution.end()
        course.end()
        if feed.images.images.count > Self.imageCountMax {
            attribution.move(to: &causes, places: places, images: feed.images)
            feed = SimulatedFeed(catalog, strategy: strategy)
            client = SimulatedClient(strategy, pageSize: paging.pageSize)
        }
    }

    /// What all users that were added come to.
    func outcome() -> StrategyOutcome {
        var (attribution, causes) = (attribution, causes)
        attribution.move(to: &causes, places: places, images: feed.images)
        return StrategyOutcome(
            strategy: strategy,
            usage: tally.usage,
            billed: tally.billed,
            counts: tally.counts,
            simulated: course.figures(causes: causes, places: places)
        )
    }

    /// The images that a user asks for.
    ///
    /// - Throws: ``SimulationFailure``, or `CancellationError`.
    mutating func images(askedForBy user: UserViews) async throws -> AskedImages {
        var asked = AskedImages()
        try await walk(user) { _, step, view, number, _ in
            asked.add(step, isRelaunch: view.action == .relaunch, view: number)
        }
        return asked
    }

    /// The text of a cache key.
    func text(ofKey key: Int) -> String { feed.images.text(ofKey: key) }

    /// Takes a user's steps with an app of their own.
    private mutating func walk(
        _ user: UserViews,
        _ body: (inout Self, SimulatedStep, SessionView, Int, ClientCounts) -> Void
    ) async throws {
        var pages = ReplayPaging.User()
        var views: [SessionView] = []
        // As the live client's clock, a user's never runs backwards.
        var latest = Int64.min
        for numbered in user.views {
            try Task.checkCancellation()
            views.removeAll(keepingCapacity: true)
            paging.add(numbered.view, to: &pages) { views.append($0) }
            for view in views {
                let isFirst = latest == .min
                latest = max(paging.time(of: view), latest)
                if isFirst { client.begin(at: latest) }
                do {
                    try await client.perform(view.action, now: latest, in: &feed, into: &step)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    throw failure(error, of: numbered)
                }
                body(&self, step, view, numbered.number, tally.counts)
            }
        }
    }

    private mutating func take(_ step: SimulatedStep, of view: SessionView, number: Int, since before: ClientCounts) {
        tally.add(step, in: feed.images)
        guard extent != .usage else { return }
        let place = places.place(of: view.action)
        attribution.add(step, at: place, in: feed)
        course.add(
            step,
            of: view,
            number: number,
            at: place,
            counts: (before, tally.counts),
            images: feed.images
        )
        if extent == .taped { tape.append(TapedStep(number: number, requests: feed.taped(step))) }
    }

    private func failure(_ error: any Error, of numbered: UserViews.Numbered) -> SimulationFailure {
        let (number, client) = (numbered.number, numbered.view.client)
        guard let failed = error as? FailedImage else {
            return SimulationFailure(
                number: number,
                error: AuditError.viewFailed(number, client: client, error: error)
            )
        }
        let error = AuditError.imageMissing(
            feed.images.images[failed.image].reference.subject,
            status: feed.images.costs[failed.exchange].status,
            strategy: strategy,
            step: number,
            client: client
        )
        return SimulationFailure(number: number, error: error)
    }
}

/// Why a simulation ends, and at which view of the log.
struct SimulationFailure: Error {
    let number: Int
    let error: AuditError

    /// The one at the earlier view of the log, if there is any.
    static func earlier(_ one: SimulationFailure?, _ other: SimulationFailure?) -> SimulationFailure? {
        guard let one, let other else { return one ?? other }
        return other.number < one.number ? other : one
    }
}

extension SimulatedFeed {
    /// The requests of a step that a live client makes, too: what was taken from the log as it was is none.
    fileprivate func taped(_ step: SimulatedStep) -> [TapedRequest] {
        let query = step.query == nil ? nil : step.queriedPage.map { tapedQuery(ofPage: $0) }
        let exchanges =
            step.lookups.map(\.exchange.number) + (step.shown + step.prefetched).compactMap { $0.exchange?.number }
        return (query.map { [$0] } ?? []) + exchanges.map { images.taped($0) }
    }
}

extension UserViews {
    /// The posts that the user opens.
    fileprivate var openedPosts: Set<CauseAttribution.PostName> {
        Set(
            views.compactMap { numbered in
                guard case .openPost(let owner, let post) = numbered.view.action else { return nil }
                return CauseAttribution.PostName(owner: owner, id: post)
            }
        )
    }
}
