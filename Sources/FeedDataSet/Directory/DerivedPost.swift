// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import PhotoRendering

/// A post known only by its folder; the rest is made up, always the same.
struct DerivedPost {
    /// The newest post's time, 2026-11-20T12:00:00Z; each further one in the order of the names is an hour older.
    private static let newest = FeedTime(secondsSinceEpoch: 1_795_176_000)
    private static let secondsBetweenPosts = 3_600
    private static let likeCountMax = 5_000

    let owner: String
    let feed: String
    let imageCount: Int

    static func feedPosts(_ posts: [Self]) throws(FeedDataSetError) -> [FeedPost] {
        let ownerCounts = posts.reduce(into: [:]) { $0[$1.feed, default: 0] += 1 }
        var documentIDs: Set<String> = []
        var feedPosts: [FeedPost] = []
        for (rank, post) in posts.enumerated() {
            let documentID = ownerCounts[post.feed] == 1 ? post.feed : "\(post.owner)_\(post.feed)"
            guard documentIDs.insert(documentID).inserted else {
                throw .ambiguousFolders("\(post.owner)/\(post.feed)", documentID: documentID)
            }
            feedPosts.append(post.feedPost(documentID: documentID, rank: rank))
        }
        return feedPosts
    }

    private func feedPost(documentID: String, rank: Int) -> FeedPost {
        FeedPost(
            owner: owner,
            id: feed,
            documentID: documentID,
            title: feed,
            likes: likes,
            createdAt: FeedTime(
                secondsSinceEpoch: Self.newest.secondsSinceEpoch - Int64(rank * Self.secondsBetweenPosts)
            ),
            imageCount: imageCount
        )
    }

    /// Few posts have many likes: the maximum divided by a rank that the names' hash gives.
    private var likes: Int {
        var hash = StableHash()
        hash.combine(owner)
        hash.combine(feed)
        return Self.likeCountMax / Int(1 + hash.value % 500)
    }
}
