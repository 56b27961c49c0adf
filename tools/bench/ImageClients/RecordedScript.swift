// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// Makes a script of a recorded session: what the list and the posts show, over a link of a given speed.
///
/// Each view's pictures come one after the other until the user moves on; the one that is coming then is left, those behind
/// it are never asked for. All clients get the same script, as if none had cached anything.
struct RecordedScript {
    private let posts: [FeedSort: [FeedPost]]
    private let numbers: [String: Int]
    private let bytesPerMillisecond: Int
    private let pageSize: Int
    let pictures: [Picture]

    init(posts: [FeedSort: [FeedPost]], pageSize: Int, bytesPerMillisecond: Int) {
        self.posts = posts
        self.pageSize = pageSize
        self.bytesPerMillisecond = bytesPerMillisecond
        pictures = (posts[.popular] ?? []).flatMap { post in
            post.images.map { image in
                Picture(
                    owner: post.ownerID,
                    feed: post.feedID,
                    index: image.index,
                    byteCount: image.byteCount ?? 0,
                    generation: image.generation,
                    token: image.token
                )
            }
        }
        numbers = Dictionary(uniqueKeysWithValues: pictures.enumerated().map { ($1.objectName, $0) })
    }

    func script(of log: SessionLog, name: String) -> Script {
        let users = Dictionary(grouping: log.views, by: \.client).sorted { $0.key < $1.key }.map { steps($0.value) }
        return Script(name: name, pictureByteCounts: pictures.map(\.byteCount), users: users)
    }

    private func steps(_ views: [SessionView]) -> [Step] {
        var sort = FeedSort.popular
        return views.indices.flatMap { index -> [Step] in
            if case .relaunch = views[index].action { return [.relaunch] }
            let wanted = pictures(of: views[index].action, &sort)
            guard index + 1 < views.count else { return [.show(wanted)] }
            let milliseconds = Int(views[index + 1].atMilliseconds - views[index].atMilliseconds)
            return steps(wanted, milliseconds) + [.wait(seconds: milliseconds / 1_000)]
        }
    }

    private func steps(_ wanted: [Int], _ milliseconds: Int) -> [Step] {
        var rest = milliseconds * bytesPerMillisecond
        var shown: [Int] = []
        for picture in wanted {
            let byteCount = pictures[picture].byteCount
            guard rest < byteCount else {
                rest -= byteCount
                shown.append(picture)
                continue
            }
            let glance = rest >= 1_024 ? [Step.glance(picture, kibibyteCount: rest / 1_024)] : []
            return [.show(shown)] + glance
        }
        return [.show(shown)]
    }

    private func pictures(of action: SessionView.Action, _ sort: inout FeedSort) -> [Int] {
        switch action {
        case .openFeed(let tab, let page), .scroll(let tab, let page): return thumbnails(tab, page, &sort)
        case .switchTab(let tab): return thumbnails(tab, 0, &sort)
        case .openPost(let owner, let id):
            let post = posts[sort]?.first { $0.id == id && $0.ownerID == owner }
            return post.map { post in post.images.dropFirst().compactMap { number(post, $0) } } ?? []
        case .relaunch, .showPosts: return []
        }
    }

    private func thumbnails(_ tab: SessionView.Listing, _ page: Int, _ sort: inout FeedSort) -> [Int] {
        precondition(tab.filter == nil, "the whole feed is played, not sections of it")
        sort = tab.sort == .popular ? .popular : .latest
        let size = tab.pageSize ?? pageSize
        let shown = (posts[sort] ?? []).dropFirst(page * size).prefix(size)
        return shown.compactMap { post in post.images.first.flatMap { number(post, $0) } }
    }

    private func number(_ post: FeedPost, _ image: FeedImage) -> Int? {
        numbers["\(post.ownerID)/\(post.feedID)/\(image.index)"]
    }
}
