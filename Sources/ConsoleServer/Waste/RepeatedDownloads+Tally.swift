// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RepeatedDownloads {
    /// Downloads of objects, by who downloads what.
    struct Tally {
        var counts: [Pair: Count] = [:]
        private(set) var total = Count()
        /// Whether there were more objects than can be remembered.
        var isTruncated = false

        /// Adds downloads of one object by one user, `again` of which were repeated; each has that many bytes.
        mutating func add(
            _ downloads: Int64,
            of pair: Pair,
            bytes: Int64,
            again: Int64,
            at time: Int64
        ) {
            total.add(downloads, bytes: bytes, again: again, at: time)
            guard counts.count < pairCountMax || counts[pair] != nil else {
                isTruncated = true
                return
            }
            counts[pair, default: Count()].add(downloads, bytes: bytes, again: again, at: time)
        }

        /// The repeated downloads, the worst first.
        struct Summary {
            var total: Count
            var pairs: [(pair: Pair, count: Count)]
            var downloaders: [(downloader: Downloader, againBytes: Int64)]
            /// Whether there were more objects than can be remembered.
            var isTruncated: Bool
        }

        /// Returns the objects, and the users, whose repeated downloads have the most bytes.
        func summary(limit: Int) -> Summary {
            let repeated = counts.filter { $0.value.againBytes > 0 }
            var downloaders: [Downloader: Int64] = [:]
            for (pair, count) in repeated { downloaders[pair.downloader, default: 0] += count.againBytes }
            let worst = repeated.sorted { left, right in
                (right.value.againBytes, left.key.object.name) < (left.value.againBytes, right.key.object.name)
            }
            return Summary(
                total: total,
                pairs: worst.prefix(limit).map { ($0.key, $0.value) },
                downloaders: downloaders.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map {
                    ($0.key, $0.value)
                },
                isTruncated: isTruncated
            )
        }
    }
}

extension RepeatedDownloads.Count {
    fileprivate mutating func add(_ count: Int64, bytes each: Int64, again: Int64, at time: Int64) {
        downloads += count
        bytes += count * each
        againDownloads += again
        againBytes += again * each
        lastAt = max(lastAt, time)
    }
}
