// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The events of a log, by user and in the order of time, in groups of users that are handled one at a time.
struct UserEvents: Sendable {
    /// The events of a group, so that it fits into memory.
    static let eventCountOfGroup = 50_000
    /// Each group may have a file.
    private static let groupCountMax = 128

    private let groups: [StoredEvents]

    /// Sorts the events of a log.
    ///
    /// A loader of images may have no token: an image that a caller without any documents asks for is for the user at its
    /// address who last read its document, else for the last of all. Where it is taken back, and reported again, it stays theirs,
    /// although another user may have read the document since.
    init(
        _ activity: LoggedActivity,
        users: LoggedUsers,
        owned: OwnedObjects,
        eventCountOfGroup: Int = Self.eventCountOfGroup
    ) throws(SessionLogError) {
        let groupCount = Self.groupCount(ofEvents: activity.events.count, eventCountOfGroup: eventCountOfGroup)
        var spools = Array(repeating: EventSpool(), count: groupCount)
        var readers = LastReaders(users, owned: owned)
        var recent = RecentValues<LoaderDownload, Int32>(atLeast: 1 << 16)
        var connections = ConnectionUsers()
        try activity.events.stored.read { (event) throws(SessionLogError) in
            let caller = event.user
            var event = event
            event.user = users.users[Int(caller)]
            switch event.subject {
            case .answer(let answer): readers.read(answer, by: caller)
            case .download(let download) where !readers.isEmpty && !users.hasRead[Int(event.user)]:
                let key = LoaderDownload(object: download.object, time: event.time)
                guard let reader = recent[key] ?? readers.reader(of: download.object, askedForBy: caller) else { break }
                event.user = reader
                recent.set(reader, for: key)
            case .takenBack(let retraction) where !users.hasRead[Int(event.user)]:
                guard let object = retraction.object else { break }
                event.user = recent[LoaderDownload(object: object, time: event.time)] ?? event.user
            case .download, .takenBack: break
            }
            if event.connection > 0, !connections.isOwn(event.connection, of: event.user) { event.connection = 0 }
            try spools[Int(event.user) % groupCount].append(event)
        }
        groups = spools.map(\.stored)
    }

    /// The number of groups of a log that has this many events.
    static func groupCount(ofEvents count: Int, eventCountOfGroup: Int = Self.eventCountOfGroup) -> Int {
        min(groupCountMax, 1 + count / eventCountOfGroup)
    }

    /// The number of groups.
    var groupCount: Int { groups.count }

    /// Hands out the events of each user of a group.
    func read(
        group number: Int,
        _ body: (Int32, [ActivityEvent]) throws(SessionLogError) -> Void
    ) throws(SessionLogError) {
        var events: [ActivityEvent] = []
        try groups[number].read { (event) throws(SessionLogError) in events.append(event) }
        for events in Self.byUser(events, groupCount: groups.count) {
            try body(events[0].user, Self.happened(events))
        }
    }

    /// The events of each user of a group, in the order of time.
    private static func byUser(_ events: [ActivityEvent], groupCount: Int) -> [[ActivityEvent]] {
        // The users of a group follow each other by the number of groups.
        func place(_ event: ActivityEvent) -> Int { Int(event.user) / groupCount }
        var counts = [Int](repeating: 0, count: (events.map(place).max() ?? -1) + 1)
        for event in events { counts[place(event)] += 1 }
        var users = counts.map { count in
            var events: [ActivityEvent] = []
            events.reserveCapacity(count)
            return events
        }
        for event in events { users[place(event)].append(event) }
        for user in users.indices where !users[user].isOrdered {
            // Sorting is stable: what happened at one time stays in the order of the log.
            users[user].sort { $0.time < $1.time }
        }
        return users.filter { !$0.isEmpty }
    }

    /// The events without those that were taken back.
    private static func happened(_ events: [ActivityEvent]) -> [ActivityEvent] {
        var takenBack: [TimedRetraction: Int] = [:]
        for event in events where event.isRetraction { takenBack[event.retraction, default: 0] += 1 }
        guard !takenBack.isEmpty else { return events }
        return events.filter { event in
            guard !event.isRetraction else { return false }
            guard let count = takenBack[event.retraction], count > 0 else { return true }
            takenBack[event.retraction] = count - 1
            return false
        }
    }
}

extension [ActivityEvent] {
    /// Whether they are in the order of time, as the requests of most users are.
    fileprivate var isOrdered: Bool { zip(self, dropFirst()).allSatisfy { $0.time <= $1.time } }
}

/// The properties that an event and its retraction have in common.
private struct TimedRetraction: Hashable {
    let time: Int64
    let retraction: ActivityEvent.Retraction
}

extension ActivityEvent {
    fileprivate var isRetraction: Bool { if case .takenBack = subject { true } else { false } }

    fileprivate var retraction: TimedRetraction {
        let retraction =
            switch subject {
            case .takenBack(let retraction): retraction
            case .download(let download): Retraction(object: download.object, byteCount: download.byteCount)
            case .answer(let answer): Retraction(object: nil, byteCount: answer.byteCount)
            }
        return TimedRetraction(time: time, retraction: retraction)
    }
}

/// A download without a token, which a retraction names again when the connection ends on which it was answered.
private struct LoaderDownload: Hashable {
    let object: Int
    let time: Int64
}
