// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Makes views of visits.
struct ViewWriter {
    private let downloads: DownloadRecords
    private let rules: InferenceRules
    private let start: Int64
    private let listsLoadAll: Bool
    /// The posts that each user's app has loaded since it was started.
    private var shown: [Int32: Set<Int32>] = [:]
    private var views: [SessionView] = []

    init(_ downloads: DownloadRecords, rules: InferenceRules, startingAt start: Int64, listsLoadAll: Bool) {
        self.downloads = downloads
        self.rules = rules
        self.start = start
        self.listsLoadAll = listsLoadAll
    }

    /// The views in the order of their times; those of one time stay in the order of their users.
    var inOrder: [SessionView] { views.sorted { $0.atMilliseconds < $1.atMilliseconds } }

    mutating func add(_ visit: Visit) {
        if visit.isAfterRelaunch {
            shown[visit.client] = nil
            append(.relaunch, of: visit, at: visit.start)
        }
        // A post of which only further images came was opened, if the app had it on a list.
        let known = shown[visit.client] ?? []
        let listed = visit.posts.filter { $0.indices.contains(0) || !known.contains($0.post) }
        if !listed.isEmpty {
            append(.showPosts(SessionView.ShownPosts(listed.map { name($0.post) })), of: visit, at: visit.start)
            shown[visit.client, default: []].formUnion(listed.map(\.post))
        }
        for (post, indices) in visit.posts
        where isOpened(post, indices: indices, client: visit.client, isNew: !known.contains(post)) {
            let parts = name(post).split(separator: "/", maxSplits: 1)
            append(.openPost(owner: String(parts[0]), post: name(post)), of: visit, at: visit.end)
        }
    }

    private func isOpened(_ post: Int32, indices: Set<Int32>, client: Int32, isNew: Bool) -> Bool {
        guard listsLoadAll else { return indices.contains { $0 > 0 } }
        guard isNew else { return false }
        let hash = "\(client) \(name(post))".utf8CString.withUnsafeBytes { ByteHash.hash($0) }
        return Int(hash % 100) < rules.openedPercent
    }

    private func name(_ post: Int32) -> String { downloads.posts[Int(post)] }

    private mutating func append(_ action: SessionView.Action, of visit: Visit, at time: Int64) {
        views.append(
            SessionView(
                atMilliseconds: min((time - start) / 1_000, SessionView.atMillisecondsMax),
                client: "c\(visit.client + 1)",
                action: action
            )
        )
    }
}
