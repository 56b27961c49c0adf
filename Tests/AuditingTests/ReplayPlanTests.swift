// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Auditing
@testable import SessionLog

/// The log's pages are of two posts.
@Suite struct ReplayPlanTests {
    private func steps(_ actions: [SessionView.Action], page: String) throws -> [String] {
        let log = ScriptedSession.log(actions.map { ("a", $0) })
        let plan = ReplayPlan(log, strategy: try Strategy("thumbnails\(page)"))
        return plan.steps.map { step in
            switch step.view.action {
            case .openFeed(let listing, let page): "\(step.number) open \(listing.sort) \(page)"
            case .scroll(let listing, let page): "\(step.number) scroll \(listing.sort) \(page)"
            case .switchTab(let listing): "\(step.number) switch \(listing.sort)"
            case .openPost(_, let post): "\(step.number) post \(post)"
            case .relaunch: "\(step.number) relaunch"
            case .showPosts(let posts): "\(step.number) show \(posts)"
            }
        }
    }

    private let day: [SessionView.Action] = [
        .openFeed(.popular, page: 0), .scroll(.popular, page: 1), .scroll(.popular, page: 2),
        .openPost(owner: "u1", post: "p1"), .switchTab(.latest), .relaunch, .openFeed(.popular, page: 2),
    ]

    @Test func `pages as they were recorded are left alone`() throws {
        let expected = [
            "1 open popular 0", "2 scroll popular 1", "3 scroll popular 2", "4 post p1", "5 switch latest",
            "6 relaunch",
            "7 open popular 2",
        ]
        #expect(try steps(day, page: "") == expected)
        #expect(try steps(day, page: "+page:2") == expected)
    }

    @Test func `larger pages save some scrolling`() throws {
        let expected = [
            "1 open popular 0", "3 scroll popular 1", "4 post p1", "5 switch latest", "6 relaunch",
            "7 open popular 1",
        ]
        #expect(try steps(day, page: "+page:4") == expected)
    }

    @Test func `smaller pages are loaded until all posts are there that were seen`() throws {
        let expected = [
            "1 open popular 0", "1 scroll popular 1", "2 scroll popular 2", "2 scroll popular 3", "3 scroll popular 4",
            "3 scroll popular 5", "4 post p1", "5 switch latest", "5 scroll latest 1", "6 relaunch", "7 open popular 4",
            "7 scroll popular 5",
        ]
        #expect(try steps(day, page: "+page:1") == expected)
    }

    @Test func `a list with a page size of its own keeps it`() throws {
        let section = SessionView.Listing(sort: .popular, pageSize: 3)
        let expected = ["1 open popular 0", "2 scroll popular 1"]
        #expect(try steps([.openFeed(section, page: 0), .scroll(section, page: 1)], page: "+page:9") == expected)
    }
}
