// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// One step of a user through the feed.
package struct SessionView: Sendable, Hashable {
    /// A hundred years: no session is longer.
    package static let atMillisecondsMax: Int64 = 36_525 * 86_400_000
    /// No user scrolls further.
    static let pageMax = 100_000

    /// Milliseconds since the session began.
    package var atMilliseconds: Int64
    /// Who took the step, such as `u1`.
    package var client: String
    /// The step.
    package var action: Action
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates a view.
    package init(atMilliseconds: Int64, client: String, action: Action, extra: [String: JSONValue] = [:]) {
        self.atMilliseconds = atMilliseconds
        self.client = client
        self.action = action
        self.extra = extra
    }

    /// The user's action.
    package enum Action: Sendable, Hashable {
        /// Opened the feed at a page of a list.
        case openFeed(Listing, page: Int)
        /// Scrolled, which brought this page.
        case scroll(Listing, page: Int)
        /// Went to this tab.
        case switchTab(Listing)
        /// Opened a post of the list.
        case openPost(owner: String, post: String)
        /// Quit the app and started it again.
        case relaunch
        /// Saw posts, as a log of requests has it.
        case showPosts(ShownPosts)

        /// The kind of step.
        package var kind: Kind {
            switch self {
            case .openFeed: .openFeed
            case .scroll: .scroll
            case .switchTab: .switchTab
            case .openPost: .openPost
            case .relaunch: .relaunch
            case .showPosts: .showPosts
            }
        }
    }

    /// The kinds of steps, by the names that logs have for them.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case openFeed, scroll, switchTab, openPost, relaunch, showPosts
    }

    /// The orders of the feed.
    package enum Sort: String, Sendable, Hashable, CaseIterable {
        /// By likes, most first.
        case popular
        /// By time, newest first.
        case latest
    }
}

extension SessionView {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        let atMilliseconds = try reader.integer("at")
        guard (0...Self.atMillisecondsMax).contains(atMilliseconds) else {
            throw reader.problem("at", message: "expected an integer from 0 to \(Self.atMillisecondsMax)")
        }
        self.init(
            atMilliseconds: atMilliseconds,
            client: try reader.string("client"),
            action: try Self.action(&reader)
        )
        extra = reader.fields
    }

    private static func action(_ reader: inout FieldReader) throws(FieldProblem) -> Action {
        switch try reader.choice("view", of: Kind.self) {
        case .openFeed: return .openFeed(try Listing(&reader), page: try page(&reader))
        case .scroll: return .scroll(try Listing(&reader), page: try page(&reader))
        case .switchTab: return .switchTab(try Listing(&reader))
        case .openPost: return .openPost(owner: try reader.string("owner"), post: try reader.string("post"))
        case .relaunch: return .relaunch
        case .showPosts: return .showPosts(try ShownPosts(&reader))
        }
    }

    private static func page(_ reader: inout FieldReader) throws(FieldProblem) -> Int {
        try reader.count("page", in: 0...pageMax)
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "view", extra: extra)
        writer.add("at", atMilliseconds)
        writer.add("client", client)
        switch action {
        case .openFeed(let listing, let page): Self.add(.openFeed, listing: listing, page: page, to: &writer)
        case .scroll(let listing, let page): Self.add(.scroll, listing: listing, page: page, to: &writer)
        case .switchTab(let listing): Self.add(.switchTab, listing: listing, page: nil, to: &writer)
        case .openPost(let owner, let post):
            writer.add("view", Kind.openPost.rawValue)
            writer.add("owner", owner)
            writer.add("post", post)
        case .relaunch: writer.add("view", Kind.relaunch.rawValue)
        case .showPosts(let shown):
            writer.add("view", Kind.showPosts.rawValue)
            shown.add(to: &writer)
        }
        return writer.encoded()
    }

    private static func add(_ kind: Kind, listing: Listing, page: Int?, to writer: inout FieldWriter) {
        writer.add("view", kind.rawValue)
        listing.add(page: page, to: &writer)
    }
}
