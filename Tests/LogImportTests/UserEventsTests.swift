// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

@testable import LogImport

struct UserEventsTests {
    /// Downloads of eleven users, so many that the spool writes some to its file.
    private static func activity(_ count: Int) throws -> LoggedActivity {
        var activity = LoggedActivity()
        for number in 0..<count {
            let object = activity.number(of: "o\(number % 97)", in: "b")
            let user = activity.number(of: .init(kind: .program, name: "u\(number * 7 % 11)"))
            _ = try activity.append(.download(LoggedDownload(object)), by: user, at: Int64(count - number))
        }
        return activity
    }

    private static func downloads(_ events: UserEvents) throws -> [Int32: [String]] {
        var found: [Int32: [String]] = [:]
        for group in 0..<events.groupCount {
            try events.read(group: group) { (user, events) throws(SessionLogError) in
                found[user] = events.map { event in
                    guard case .download(let download) = event.subject else { return "?" }
                    return "\(event.time) \(download.object)"
                }
            }
        }
        return found
    }

    @Test(arguments: [10, 100_000])
    func `groups of users have all events, each user's in the order of time`(count: Int) throws {
        var activity = try Self.activity(count)
        let owned = OwnedObjects(byNamesIn: &activity, layouts: [])
        let users = LoggedUsers(activity)
        let whole = try Self.downloads(UserEvents(activity, users: users, owned: owned, eventCountOfGroup: .max))
        let groups = try UserEvents(activity, users: users, owned: owned, eventCountOfGroup: max(1, count / 4))
        #expect(groups.groupCount > 3)
        #expect(try Self.downloads(groups) == whole)
        #expect(whole.values.reduce(0) { $0 + $1.count } == count)
        #expect(try Self.downloads(groups) == whole, "events can be read again")
        for events in whole.values {
            let times = events.compactMap { Int64($0.prefix { $0 != " " }) }
            #expect(times == times.sorted())
        }
    }

    @Test func `an event comes back as it was written`() throws {
        let answer = LoggedAnswer(
            .list,
            list: 3,
            query: 300,
            isContinued: true,
            versions: [.init(document: 1, revision: 2), .init(document: 70_000, revision: 0)],
            missingCount: 1,
            byteCount: 1 << 40,
            documentReads: -5,
            ruleReads: 7
        )
        var bytes = NumberBytes()
        ActivityEvent(time: 1_795_000_000_000_000, user: 9, subject: .answer(answer)).append(to: &bytes)
        let others: [ActivityEvent.Subject] = [
            .download(LoggedDownload(70_000, .aborted, byteCount: 1 << 40, generation: -2, tag: 3)),
            .takenBack(ActivityEvent.Retraction(object: 5, byteCount: 300)),
            .takenBack(ActivityEvent.Retraction(object: nil, byteCount: 1 << 40)),
        ]
        for subject in others {
            ActivityEvent(time: -1, user: 0, connection: 1 << 40, subject: subject).append(to: &bytes)
        }
        var reader = NumberBytes.Reader(bytes.bytes)
        let first = try #require(ActivityEvent(from: &reader))
        guard case .answer(let read) = first.subject else { throw Unexpected() }
        #expect((first.time, first.user, first.connection) == (1_795_000_000_000_000, 9, 0))
        #expect((read.kind, read.list, read.query, read.isContinued) == (.list, 3, 300, true))
        #expect((read.versions, read.missingCount) == (answer.versions, 1))
        #expect((read.byteCount, read.documentReads) == (1 << 40, -5))
        for subject in others {
            let event = try #require(ActivityEvent(from: &reader))
            #expect((event.time, event.user, event.connection) == (-1, 0, 1 << 40))
            switch (event.subject, subject) {
            case (.download(let read), .download(let written)): #expect(read == written)
            case (.takenBack(let read), .takenBack(let written)): #expect(read == written)
            default: throw Unexpected()
            }
        }
        #expect(ActivityEvent(from: &reader) == nil)
    }

    private struct Unexpected: Error {}
}
