// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Finds out how objects' names follow from documents: by the documents that a user had just read when an object was loaded.
struct LayoutSearch {
    /// Each object is looked at up to this many, then every second, then every fourth, and so on.
    private static let sampleCountMax = 4_000
    /// The share of the looked-at downloads that a layout needs, in percent; fewer may agree by chance.
    private static let percentMin = 1

    private var voters: [ImageLayout: Set<Int32>] = [:]
    private var recent = RecentDocuments()
    private var known: Set<Int> = []
    private var sampledCount = 0

    /// Takes in the next event of a log.
    mutating func take(_ event: ActivityEvent, in activity: LoggedActivity) {
        switch event.subject {
        case .answer(let answer): recent.read(answer.documents, by: event.user)
        case .download(let download):
            guard known.insert(download.object).inserted,
                known.count.isMultiple(of: 1 << min(30, sampledCount / Self.sampleCountMax))
            else { return }
            sampledCount += 1
            let documents = recent.documents(of: event.user)
            guard let (layout, document) = best(download.object, among: documents, in: activity) else { return }
            voters[layout, default: []].insert(document)
        case .takenBack: break
        }
    }

    /// The layouts, the most certain first.
    var layouts: [ImageLayout] {
        let needed = max(1, sampledCount * Self.percentMin / 100)
        return voters.filter { $0.value.count >= min(needed, 20) }
            .sorted { left, right in
                (right.value.count, left.key.hasNumber ? 1 : 0, left.key.description)
                    < (left.value.count, right.key.hasNumber ? 1 : 0, right.key.description)
            }
            .map(\.key)
    }

    /// The layout by which most of an object's name follows from a document.
    private func best(
        _ object: Int,
        among documents: [Int32],
        in activity: LoggedActivity
    ) -> (ImageLayout, Int32)? {
        let name = NameParts(activity.objects[object].name)
        var hashes: [Int: [UInt64: Int]] = [:]
        var best: (covered: Int, layout: ImageLayout, document: Int32)?
        for number in documents {
            let document = activity.documents[Int(number)]
            let recording = document.recording
            guard activity.recordings.indices.contains(recording) else { continue }
            let byHash = hashes[recording] ?? name.byHash(activity.recordings[recording])
            hashes[recording] = byHash
            guard let (covered, layout) = name.layout(of: document, byHash: byHash) else { continue }
            if covered > best?.covered ?? 0 { best = (covered, layout, number) }
        }
        return best.map { ($0.layout, $0.document) }
    }
}

/// The documents that users read last, of which one is likely to be that of an image loaded next.
private struct RecentDocuments {
    private static let countMax = 200
    /// Of more users, all are forgotten; what they read last is read again soon.
    private static let userCountMax = 20_000

    private var byUser: [Int32: [Int32]] = [:]
    private var all: [Int32] = []

    mutating func read(_ documents: [Int32], by user: Int32) {
        if byUser.count >= Self.userCountMax, byUser[user] == nil { byUser = [:] }
        Self.add(documents, to: &byUser[user, default: []])
        Self.add(documents, to: &all)
    }

    /// Those of the user; of anybody where the user, such as a loader of images that has no token, has read none.
    func documents(of user: Int32) -> [Int32] { byUser[user] ?? all }

    private static func add(_ documents: [Int32], to recent: inout [Int32]) {
        recent.append(contentsOf: documents)
        if recent.count > 2 * countMax { recent.removeFirst(recent.count - countMax) }
    }
}

/// An object's name and the parts of it that a field may have named.
private struct NameParts {
    /// Names of more separators are not those of images as a rule.
    private static let separatorCountMax = 8

    private let name: String
    private let parts: [Range<String.Index>]

    init(_ name: String) {
        self.name = name
        var parts = [name.startIndex..<name.endIndex]
        for segment in name.split(separator: "/") {
            parts.append(segment.startIndex..<segment.endIndex)
            var cuts = segment.indices.filter { "._-".contains(segment[$0]) }
            guard cuts.count <= Self.separatorCountMax else { continue }
            cuts.append(segment.endIndex)
            var starts = [segment.startIndex]
            for cut in cuts {
                for start in starts where start < cut { parts.append(start..<cut) }
                if cut < segment.endIndex { starts.append(segment.index(after: cut)) }
            }
        }
        self.parts = parts.filter { name[$0].utf8.count > 1 }
    }

    /// The parts by their hashes; of equal parts the first.
    func byHash(_ hash: MentionHash) -> [UInt64: Int] {
        Dictionary(parts.indices.map { (hash.hash(name[parts[$0]].utf8), $0) }) { first, _ in first }
    }

    /// The layout that makes the name of a document's fields, and how many bytes of the name they are.
    func layout(
        of document: LoggedActivity.Document,
        byHash: [UInt64: Int]
    ) -> (covered: Int, layout: ImageLayout)? {
        var found: [(range: Range<String.Index>, field: String)] = []
        let segments = document.path.split(separator: "/").map(String.init)
        for (index, segment) in segments.enumerated() where !index.isMultiple(of: 2) {
            let field = index == segments.count - 1 ? ImageLayout.id : segments[index - 1]
            for part in parts where name[part] == segment { found.append((part, field)) }
        }
        for (field, hashes) in document.mentions {
            for hash in hashes {
                if let part = byHash[hash], isName(parts[part]) { found.append((parts[part], field)) }
            }
        }
        // The longest first; of equally long ones the document's id, then the name that comes first.
        found.sort { left, right in
            let (one, other) = (name[left.range].utf8.count, name[right.range].utf8.count)
            if one != other { return one > other }
            return (left.field == ImageLayout.id ? "" : left.field) < (right.field == ImageLayout.id ? "" : right.field)
        }
        var chosen: [(range: Range<String.Index>, field: String)] = []
        for part in found where !chosen.contains(where: { $0.range.overlaps(part.range) }) { chosen.append(part) }
        guard !chosen.isEmpty else { return nil }
        chosen.sort { $0.range.lowerBound < $1.range.lowerBound }
        let collection = segments.indices.filter { $0.isMultiple(of: 2) }.map { segments[$0] }.joined(separator: "/")
        let covered = chosen.reduce(0) { $0 + name[$1.range].utf8.count }
        return (covered, ImageLayout(collection: collection, pieces: pieces(chosen)))
    }

    /// Short numbers are places of images, sizes and counts.
    private func isName(_ part: Range<String.Index>) -> Bool {
        let text = name[part]
        return text.utf8.count >= 4 || !text.allSatisfy(\.isNumber)
    }

    private func pieces(_ fields: [(range: Range<String.Index>, field: String)]) -> [ImageLayout.Piece] {
        var pieces: [ImageLayout.Piece] = []
        var start = name.startIndex
        for (range, field) in fields {
            Self.append(name[start..<range.lowerBound], to: &pieces)
            pieces.append(.field(field))
            start = range.upperBound
        }
        Self.append(name[start...], to: &pieces)
        // The last number distinguishes a document's images.
        if let last = pieces.lastIndex(of: .digits) { pieces[last] = .number }
        return pieces
    }

    private static func append(_ text: Substring, to pieces: inout [ImageLayout.Piece]) {
        var literal = ""
        var isInNumber = false
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            if isDigit, !isInNumber {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(.digits)
            } else if !isDigit {
                literal.append(character)
            }
            isInNumber = isDigit
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }
}
