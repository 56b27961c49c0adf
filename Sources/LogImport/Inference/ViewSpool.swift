// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The views of a log, sorted into buckets of users: of each bucket a block is in memory, all before it in a file.
///
/// All views of a user are in one bucket.
struct ViewSpool: Sendable {
    private struct Bucket: Sendable {
        var block = NumberBytes()
        var blocks: [BlockFile.Block] = []
    }

    static let bucketCount = 256
    private static let blockByteCount = 16 << 10

    private var buckets: [Bucket]
    private var file = BlockFile()
    private var names = ViewNames()
    private(set) var count = 0

    init(bucketCount: Int = Self.bucketCount) { buckets = Array(repeating: Bucket(), count: bucketCount) }

    /// Adds the next view of the log, to a bucket that follows from its user unless another is named.
    mutating func append(_ view: SessionView, to bucket: Int? = nil) throws(SessionLogError) {
        count += 1
        let client = names.number(of: view.client)
        let place = bucket ?? client % buckets.count
        names.append(view, by: client, number: count, to: &buckets[place].block)
        guard buckets[place].block.bytes.count >= Self.blockByteCount else { return }
        buckets[place].blocks.append(try file.append(buckets[place].block.bytes))
        buckets[place].block.removeAll()
    }

    /// The users of one of a number of groups, counted from 0, in the order of their first views in a bucket.
    func users(ofGroup group: Int, of groupCount: Int) throws(SessionLogError) -> [UserViews] {
        var users: [UserViews] = []
        for place in buckets.indices where place * groupCount / buckets.count == group {
            users += try self.users(ofBucket: place)
        }
        return users
    }

    /// The users of a bucket, in the order of their first views.
    func users(ofBucket place: Int) throws(SessionLogError) -> [UserViews] {
        var views: [[UserViews.Numbered]] = []
        var places: [Int: Int] = [:]
        for block in buckets[place].blocks { names.read(try file.read(block), into: &views, places: &places) }
        names.read(buckets[place].block.bytes, into: &views, places: &places)
        return views.map { UserViews(client: $0[0].view.client, views: $0) }
    }
}
