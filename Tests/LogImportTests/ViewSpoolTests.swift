// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

@testable import LogImport

@Suite struct ViewSpoolTests {
    private static let filtered = SessionView.Listing(
        sort: .latest,
        filter: SessionView.Filter(field: "tag", equals: .string("cats")),
        pageSize: 3
    )
    private static let list = SessionView.List(
        name: "posts order by likes",
        page: 2,
        byteCount: 1 << 40,
        documentReads: 8,
        isOfObjects: true,
        key: "k",
        changes: 0,
        depth: 5
    )
    private static let actions: [SessionView.Action] = [
        .openFeed(.popular, page: 0), .scroll(filtered, page: 70_000), .switchTab(.latest),
        .openPost(owner: "ann", post: "p1"), .relaunch, .showPosts(SessionView.ShownPosts(["a/b", "a/c"], list: list)),
        .showPosts(SessionView.ShownPosts([])),
        .showPosts(
            SessionView.ShownPosts(["a/b"], list: SessionView.List(name: "", page: 0, byteCount: 0, documentReads: 0))
        ),
    ]

    /// As many views as take several blocks, of users whose views mix.
    private static let views = (0..<60_000).map { index in
        SessionView(
            atMilliseconds: Int64(index) * 997,
            client: "user \(index % 411)",
            action: actions[index % actions.count]
        )
    }

    @Test(arguments: [1, 2, 7, 256])
    func `every view comes back to its user, in order and with its number`(groupCount: Int) throws {
        var spool = ViewSpool()
        for view in Self.views { try spool.append(view) }
        var found: [String: UserViews] = [:]
        for group in 0..<groupCount {
            for user in try spool.users(ofGroup: group, of: groupCount) {
                #expect(found.updateValue(user, forKey: user.client) == nil, "\(user.client) is in two groups")
            }
        }
        let expected = UserViews.users(of: Self.views)
        #expect(found == Dictionary(uniqueKeysWithValues: expected.map { ($0.client, $0) }))
    }

    @Test func `a log without views has no users`() throws {
        #expect(try ViewSpool().users(ofGroup: 0, of: 1).isEmpty)
    }
}
