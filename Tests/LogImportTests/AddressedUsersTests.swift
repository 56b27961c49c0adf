// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

@testable import LogImport

/// Who the users are where a log has the numbers of addresses and connections.
struct AddressedUsersTests {
    /// Lists two posts with an app of this name, at an address.
    private static func list(_ log: inout RecordedLog, at peer: Int?, second: Double, program: String = "app") {
        log.document("posts/alpha")
        log.document("posts/beta")
        log.program = program
        log.origin = peer.map { SessionRequest.Origin(peer: $0, connection: $0) }
        log.list("posts", ["posts/alpha", "posts/beta"], by: nil, at: second)
    }

    private static func assumptions(_ log: RecordedLog) throws -> [String] {
        try log.session().session.header.imported?.assumptions ?? []
    }

    @Test(
        arguments: [
            ([nil, nil], ["app"]), ([1, 1], ["app"]), ([1, 2], ["app, address 1", "app, address 2"]),
            ([1, nil], ["app"]), ([1, 2, 1], ["app, address 1", "app, address 2"]),
        ] as [([Int?], [String])]
    )
    func `a program at several addresses is several users`(peers: [Int?], users: [String]) throws {
        var log = RecordedLog()
        for (index, peer) in peers.enumerated() { Self.list(&log, at: peer, second: Double(index)) }
        let session = try log.session().session
        #expect(Set(session.views.map(\.client)) == Set(users))
        let says = try Self.assumptions(log).contains { $0.contains("else the program at an address") }
        #expect(says == (users.count > 1))
    }

    @Test func `a token is its user at any address`() throws {
        var log = RecordedLog()
        for peer in [1, 2] {
            log.document("posts/alpha")
            log.origin = SessionRequest.Origin(peer: peer, connection: peer)
            log.list("posts", ["posts/alpha"], by: "ann", at: Double(peer))
        }
        #expect(Set(try log.session().session.views.map(\.client)) == ["ann"])
    }

    @Test(arguments: [(true, ["app, address 1", "app, address 2"]), (false, (1...4).map { "app, address \($0)" })])
    func `numbers of addresses hold as long as the emulator runs`(isContinued: Bool, users: [String]) throws {
        var log = RecordedLog()
        for second in [0.0, 10] {
            if second > 0 { log.begin(isContinued: isContinued) }
            for peer in [1, 2] { Self.list(&log, at: peer, second: second + Double(peer)) }
        }
        #expect(Set(try log.session().session.views.map(\.client)) == Set(users))
    }

    @Test func `recordings of one address each have the program's users`() throws {
        var log = RecordedLog()
        Self.list(&log, at: 1, second: 0)
        log.begin(isContinued: false)
        Self.list(&log, at: 1, second: 5)
        #expect(Set(try log.session().session.views.map(\.client)) == ["app"])
    }

    @Test func `an image without a token is for the user at its address who last read its document`() throws {
        var log = RecordedLog()
        log.document("posts/alpha")
        for (peer, users) in [(1, ["ann", "bob"]), (2, ["vic", "zoe"])] {
            for user in users {
                log.origin = SessionRequest.Origin(peer: peer, connection: peer)
                log.list("posts", ["posts/alpha"], by: user, at: Double(peer))
            }
        }
        for (peer, second) in [(1, 3.0), (2, 3.1), (3, 3.2)] {
            log.origin = SessionRequest.Origin(peer: peer, connection: 10 + peer)
            log.download("posts/alpha/0.jpg", by: nil, at: second)
        }
        #expect(
            try log.session().views == [
                "0 ann lists page 0", "0 bob lists page 0 posts/alpha", "1 vic lists page 0",
                "1 zoe lists page 0 posts/alpha",
            ]
        )
    }

    @Test func `a program that reads nothing is the only user at its address who does`() throws {
        var log = RecordedLog()
        for (peer, user) in [(1, "ann"), (2, "vic")] {
            log.document("posts/alpha")
            log.origin = SessionRequest.Origin(peer: peer, connection: peer)
            log.list("posts", ["posts/alpha"], by: user, at: Double(peer))
        }
        // Vic's list came last.
        log.origin = SessionRequest.Origin(peer: 1, connection: 3)
        log.download("posts/alpha/0.jpg", by: nil, at: 3)
        #expect(try log.session().views == ["0 ann lists page 0 posts/alpha", "1 vic lists page 0"])
        #expect(try Self.assumptions(log).contains { $0.contains("belongs to the user at its address") })
    }

    @Test(
        "after a long pause the app was started again, unless one of the user's connections continues",
        arguments: [
            // The connections of a list, of the next after an hour, and of a read after that.
            ([1, 1, 1], false), ([1, 2, 2], true), ([1, 2, 1], false), ([0, 0, 0], true),
        ] as [([Int], Bool)]
    )
    func pauses(connections: [Int], isRelaunched: Bool) throws {
        var log = RecordedLog()
        log.document("posts/alpha")
        for (connection, second) in zip(connections, [0.0, 3_600, 3_601]) {
            log.origin = connection > 0 ? SessionRequest.Origin(peer: 1, connection: connection) : nil
            log.list("posts", ["posts/alpha"], by: "ann", at: second)
        }
        #expect(try log.session().views.contains { $0.hasSuffix("relaunch") } == isRelaunched)
        let says = try Self.assumptions(log).contains { $0.contains("unless it used a connection") }
        #expect(says == (connections[0] > 0))
    }

    @Test func `connections of several users say nothing about an app`() throws {
        var log = RecordedLog()
        log.document("posts/alpha")
        log.origin = SessionRequest.Origin(peer: 1, connection: 1)
        for (user, second) in [("ann", 0.0), ("vic", 1), ("ann", 3_600)] {
            log.list("posts", ["posts/alpha"], by: user, at: second)
        }
        #expect(try log.session().views.contains { $0.hasSuffix("ann relaunch") })
    }

    @Test func `a connection of a former recording is another`() throws {
        var log = RecordedLog()
        for second in [0.0, 3_600] {
            if second > 0 { log.begin(isContinued: false) }
            log.document("posts/alpha")
            log.origin = SessionRequest.Origin(peer: 1, connection: 1)
            log.list("posts", ["posts/alpha"], by: "ann", at: second)
        }
        #expect(try log.session().views.contains { $0.hasSuffix("relaunch") })
    }

    @Test func `which connections one user alone has is remembered for the last ones`() {
        var connections = ConnectionUsers()
        func use(_ numbers: ClosedRange<Int64>, by user: Int32) -> [Bool] {
            numbers.map { connections.isOwn($0, of: user) }
        }
        #expect(use(1...40_000, by: 7).allSatisfy { $0 })
        #expect(use(1...1, by: 8) == [false], "it is among the last ones")
        #expect(use(1...1, by: 7) == [false])
        #expect(use(40_001...120_000, by: 7).allSatisfy { $0 })
        #expect(use(1...1, by: 8) == [true], "it is forgotten")
    }
}
