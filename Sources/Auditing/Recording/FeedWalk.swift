// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import SeededRandom

/// Walks a feed as a few users would on one day: they open it, scroll, open posts, switch tabs and come back later.
///
/// The walk is a function of its seed and of the feed; time is virtual.
package struct FeedWalk: Sendable {
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

    private let session: FeedSession
    private var generator: SplitMix64
    private let clock: VirtualClock

    /// Creates a user's walk.
    ///
    /// - Parameters:
    ///   - session: The user's app.
    ///   - seed: What the user's choices are drawn from.
    ///   - clock: The time that passes between views.
    package init(session: FeedSession, seed: UInt64, clock: VirtualClock) {
        self.session = session
        self.clock = clock
        generator = SplitMix64(seed: seed)
    }

    /// Walks one day.
    package mutating func walk() async throws {
        let launchCount = generator.integer(in: Self.launchCounts)
        for launch in 0..<launchCount {
            if launch > 0 {
                wait(Self.absences)
                await session.relaunch()
            }
            try await useOnce()
        }
    }

    private mutating func useOnce() async throws {
        var sort = FeedSort.popular
        try await browse(try await session.openFeed(sort))
        for _ in 0..<generator.integer(in: Self.tabSwitchCounts) {
            sort = sort == .popular ? .latest : .popular
            wait(Self.pauses)
            try await browse(try await session.switchTab(to: sort))
        }
    }

    /// Looks at a tab's first page and at some that follow.
    private mutating func browse(_ first: FeedScreen) async throws {
        try await openSome(of: first)
        for page in 0..<generator.integer(in: Self.scrollCounts) {
            wait(Self.pauses)
            let screen = try await session.scroll(to: page + 1)
            guard !screen.posts.isEmpty else { return }
            try await openSome(of: screen)
        }
    }

    private mutating func openSome(of screen: FeedScreen) async throws {
        guard !screen.posts.isEmpty else { return }
        for _ in 0..<generator.integer(in: Self.openedPostCounts) {
            let post = screen.posts[generator.integer(in: 0...screen.posts.count - 1)]
            wait(Self.pauses)
            try await session.openPost(owner: post.ownerID, id: post.id)
        }
    }

    private mutating func wait(_ milliseconds: ClosedRange<Int>) {
        clock.advance(by: .milliseconds(generator.integer(in: milliseconds)))
    }
}
