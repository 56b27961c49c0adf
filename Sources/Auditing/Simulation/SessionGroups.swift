// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import LogImport
package import SessionLog

/// The users of a log in groups, each of which fits into memory: several are simulated at a time, on as many cores.
package struct SessionGroups: Sendable {
    /// The header of the log.
    let header: SessionHeader
    /// The images of a third-party log.
    let images: [SessionImage]
    /// The number of groups.
    let count: Int
    /// Whether there are no users; a log that is too large to be held has some.
    let isEmpty: Bool
    private let read: @Sendable (Int) throws -> [UserViews]

    /// Groups of one core, so that all cores end at about the same time.
    private static let groupsPerCore = 4

    /// The users of a log that is held.
    package init(_ log: SessionLog) {
        let users = UserViews.users(of: log.views)
        let count = max(1, min(users.count, Self.groupsPerCore * GroupQueue.coreCount))
        self.init(log.header, images: log.images, count: count, isEmpty: users.isEmpty) { group in
            stride(from: group, to: users.count, by: count).map { users[$0] }
        }
    }

    /// The users of a log that may be too large to be held; those whom a filter keeps.
    package init(_ source: SessionSource, keeping isKept: @escaping @Sendable (String) -> Bool = { _ in true }) throws {
        if source.groupCount == 1 {
            let log = try source.whole()
            self.init(log.with(views: log.views.filter { isKept($0.client) }))
        } else {
            self.init(source.header, images: source.images, count: source.groupCount, isEmpty: false) { group in
                try source.users(ofGroup: group).filter { isKept($0.client) }
            }
        }
    }

    private init(
        _ header: SessionHeader,
        images: [SessionImage],
        count: Int,
        isEmpty: Bool,
        read: @escaping @Sendable (Int) throws -> [UserViews]
    ) {
        (self.header, self.images, self.count, self.isEmpty) = (header, images, count, isEmpty)
        self.read = read
    }

    /// The users of a group, counted from 0.
    func users(ofGroup number: Int) throws -> [UserViews] { try read(number) }

    /// Has each core take the next group as long as there is one, and add its users to a state of its own.
    ///
    /// Returns the states: which groups are in which depends on the cores, and so must not show once they are added up.
    func onAllCores<State: Sendable>(
        startingWith state: State,
        _ take: @escaping @Sendable (inout State, [UserViews]) async throws -> Void
    ) async throws -> [State] {
        let queue = GroupQueue(count: count)
        return try await withThrowingTaskGroup(of: State.self) { tasks in
            for _ in 0..<queue.takerCount {
                tasks.addTask {
                    var state = state
                    while let group = queue.next() { try await take(&state, users(ofGroup: group)) }
                    return state
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
    }
}
