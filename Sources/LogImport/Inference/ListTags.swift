// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tags of the images that lists show: of an app that names its screens, the screens' names.
struct ListTags: Sendable, Hashable {
    /// Downloads by the numbers of their tags; 0 is none.
    private typealias Counts = [Int32: Int]

    /// The counts of each list.
    ///
    /// An image that may be an opened post's, which is each but the first, does not count.
    private var counts: [Int: Counts] = [:]

    mutating func add(_ visit: Visit) {
        guard let list = visit.answer?.list else { return }
        for download in visit.downloads where !download.isOfOpenedPost {
            counts[list, default: [:]][download.logged.tag, default: 0] += 1
        }
    }

    mutating func add(_ other: ListTags) {
        counts.merge(other.counts) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// For each list the number of the tag that more than half of its images have; `nil` without one.
    ///
    /// A list without images, as of the same query with another value, has the tag of all lists of its name.
    func majorityTags(ofListsNamed names: [String]) -> [Int32?] {
        var countsOfNames: [String: Counts] = [:]
        for (list, counts) in counts { countsOfNames[names[list], default: [:]].merge(counts, uniquingKeysWith: +) }
        return names.indices.map { Self.majority(of: counts[$0] ?? countsOfNames[names[$0]] ?? [:]) }
    }

    private static func majority(of counts: Counts) -> Int32? {
        let total = counts.values.reduce(0, +)
        return counts.first { $0.key != 0 && 2 * $0.value > total }?.key
    }
}

extension LoggedActivity {
    /// Puts the tags of lists' images before the lists' names.
    mutating func nameLists(by tags: ListTags) {
        for (list, tag) in tags.majorityTags(ofListsNamed: lists.map(\.name)).enumerated() {
            if let tag { setTag(tag, ofList: list) }
        }
    }
}
