// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SeededRandom
import SessionLog

/// Walks a feed as a few users would on one day: they open it, scroll, open posts, switch tabs and come back later.
///
/// The walk is a function of its seed and of the feed; time is virtual.
struct FeedWalk {
    /// How often a user starts the app.
    static let launchCounts = 2...3
    /// How often a user goes to the other tab after starting.
    static let tabSwitchCounts = 1...3
    /// The further pages a user scrolls to after coming to a tab.
    static let scrollCounts = 0...3
    /// The posts a user opens on a page.
    static let openedPostCounts = 0...2
    /// Milliseconds between two views of a user.
    static let pauses = 1_500...12_000
    /// Milliseconds between a user's quitting and coming back.
    static let absences = 600_000...7_200_000

    /// A step of the walk.
    struct Step {
        /// Milliseconds since the walk began.
        let atMilliseconds: Int64
        let action: SessionView.Action
        /// The page that is loaded, if one is.
        var page: FeedTour.Page?
    }

    private let tour: FeedTour
    private var generator: SplitMix64
    private(set) var steps: [Step] = []
    /// When the user is done, in milliseconds since the walk began.
    private(set) var endMilliseconds: Int64 = 0

    /// Walks one day.
    ///
    /// - Parameters:
    ///   - tour: The pages of the feed.
    ///   - seed: What the user's choices are drawn from.
    init(of tour: FeedTour, seed: UInt64) {
        self.tour = tour
        generator = SplitMix64(seed: seed)
        for launch in 0..<generator.integer(in: Self.launchCounts) {
            if launch > 0 {
                wait(Self.absences)
                add(.relaunch)
            }
            useOnce()
        }
    }

    private mutating func useOnce() {
        var listing = SessionView.Listing.popular
        browse(listing, by: .openFeed(listing, page: 0))
        for _ in 0..<generator.integer(in: Self.tabSwitchCounts) {
            listing = listing == .popular ? .latest : .popular
            wait(Self.pauses)
            browse(listing, by: .switchTab(listing))
        }
    }

    /// Looks at a tab's first page and at some that follow.
    private mutating func browse(_ listing: SessionView.Listing, by action: SessionView.Action) {
        let pages = tour.pages(of: listing)
        add(action, pages[0])
        openSome(of: pages[0])
        for number in 1..<(1 + generator.integer(in: Self.scrollCounts)) {
            wait(Self.pauses)
            let page = pages[number]
            add(.scroll(listing, page: number), page)
            guard !page.posts.isEmpty else { return }
            openSome(of: page)
        }
    }

    private mutating func openSome(of page: FeedTour.Page) {
        guard !page.posts.isEmpty else { return }
        for _ in 0..<generator.integer(in: Self.openedPostCounts) {
            let post = page.posts[generator.integer(in: 0...page.posts.count - 1)]
            wait(Self.pauses)
            add(.openPost(owner: post.owner, post: post.id))
        }
    }

    private mutating func add(_ action: SessionView.Action, _ page: FeedTour.Page? = nil) {
        steps.append(Step(atMilliseconds: endMilliseconds, action: action, page: page))
    }

    private mutating func wait(_ milliseconds: ClosedRange<Int>) {
        endMilliseconds += Int64(generator.integer(in: milliseconds))
    }
}
