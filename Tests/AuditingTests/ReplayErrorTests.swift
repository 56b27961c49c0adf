// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import LocalFirebase
import SessionLog
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct ReplayErrorTests {
    private static func failure(of log: SessionLog, console: ConsoleClient) async -> AuditError? {
        await #expect(throws: AuditError.self) {
            try await FeedReplay(log: log, console: console).outcomes(of: [.baseline])
        }
    }

    private static let elsewhere = SessionHeader.Feed(
        project: "demo-tiny",
        database: "(default)",
        collection: "posts",
        bucket: "elsewhere.appspot.com"
    )

    @Test(arguments: [
        (
            ScriptedSession.log([("a", .openFeed(.latest, page: 0)), ("b", .openPost(owner: "u1", post: "p1"))]),
            "view 2 (client b) cannot be replayed: post p1 of u1 is on no loaded page;"
        ),
        (
            ScriptedSession.log([("a", .openFeed(.latest, page: 0)), ("a", .scroll(.popular, page: 1))]),
            "view 2 (client a) cannot be replayed: scroll on popular: no such list is open;"
        ),
        (
            ScriptedSession.log([("a", .openFeed(.popular, page: 0))], feed: elsewhere),
            "view 1 (client a): 3 images could not be loaded (answered with 404); is this the data set that the log was recorded with?"
        ),
        (ScriptedSession.log([]), "the log has neither views nor downloads"),
        (ScriptedSession.log(feed: nil), "the log's header does not say where its feed lives"),
    ])
    func `names the view that cannot be replayed`(_ log: SessionLog, _ description: String) async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).run { addresses in
            let error = await Self.failure(of: log, console: ConsoleClient(address: addresses.console))
            #expect(error?.code == .badData)
            #expect(error?.exitCode == 65)
            #expect(error?.description.hasPrefix(description) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `an emulator that is gone is unavailable`() async throws {
        var stub = StubConsole()
        stub.answers["GET /emulators"] = (
            200,
            #"{"firestore":{"host":"127.0.0.1","port":1},"storage":{"host":"127.0.0.1","port":1}}"#
        )
        stub.answers["POST /usage/marks"] = (200, #"{"mark":"m0"}"#)
        let console = ConsoleClient(address: "127.0.0.1:4000", transport: stub)
        let error = await Self.failure(of: ScriptedSession.log(), console: console)
        #expect(error?.code == .unavailable)
        #expect(error?.exitCode == 69)
        #expect(error?.description.hasPrefix("view 1 (client a) cannot be replayed: ") == true)
    }
}
