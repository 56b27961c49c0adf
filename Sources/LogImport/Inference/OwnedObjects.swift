// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Which objects belong to which documents, by layouts.
struct OwnedObjects: Sendable {
    /// An object's document and its place among the document's objects.
    struct Owner: Sendable, Hashable {
        let document: Int32
        let index: Int32

        // One number is hashed faster than two, and each download is looked up.
        func hash(into hasher: inout Hasher) { hasher.combine(Int64(document) << 32 | Int64(index)) }
    }

    /// The objects of each document, in their order; the list shows the first.
    private(set) var objects: [Int32: [Int]] = [:]
    /// The documents of each object; none for one of no layout.
    private(set) var owners: [[Owner]]
    /// The layouts that objects were found by.
    private(set) var layouts: [ImageLayout] = []
    /// Without layouts: the forms of names by whose numbers images belong together.
    private(set) var forms: [String] = []
    /// Which objects listings have, whatever documents they belong to.
    let listings: ObjectListings

    /// An object's place before all places are known.
    private struct Place {
        let layout: Int
        let number: Int
        let object: Int
    }

    /// The values that a layout's fields have.
    private struct Key: Hashable {
        let recording: Int
        let values: [UInt64]
    }

    /// Documents that have a value of a layout's fields in common: from here on what the value names is theirs together, as
    /// an author's portrait is, and no document's own image.
    private static let sharingCountMin = 1.5

    /// Finds the objects of documents and of listings, or of posts by their names where no layout fits.
    init(in activity: inout LoggedActivity, learned: [ImageLayout], stated: [ImageLayout]) {
        self.init(activity, layouts: stated.isEmpty ? learned : stated, areStated: !stated.isEmpty)
        if layouts.isEmpty {
            self = OwnedObjects(byNamesIn: &activity, layouts: stated)
        } else {
            takeListed(in: &activity)
        }
    }

    /// Finds the objects of documents; layouts that were found out, and not stated, are no more than likely.
    init(_ activity: LoggedActivity, layouts: [ImageLayout], areStated: Bool) {
        listings = ObjectListings(activity)
        owners = Array(repeating: [], count: activity.objects.count)
        var places: [Int32: [Place]] = [:]
        var free = Set(activity.objects.indices)
        for (rank, layout) in layouts.enumerated() where !free.isEmpty {
            let documents = Self.documents(of: layout, in: activity)
            let sharingCount = Double(documents.values.reduce(0) { $0 + $1.count }) / Double(max(1, documents.count))
            guard areStated || sharingCount < Self.sharingCountMin else { continue }
            let matched = free.compactMap { object -> (Int, [(Int32, Int)])? in
                guard let (fields, number) = layout.values(in: activity.objects[object].name) else { return nil }
                let found = activity.recordings.indices.flatMap { recording -> [(Int32, Int)] in
                    let hash = activity.recordings[recording]
                    return documents[Key(recording: recording, values: fields.map { hash.hash($0.utf8) })] ?? []
                }
                return found.isEmpty ? nil : (object, found.map { ($0.0, number ?? $0.1) })
            }
            guard !matched.isEmpty else { continue }
            self.layouts.append(layout)
            for (object, found) in matched {
                free.remove(object)
                for (document, number) in found {
                    places[document, default: []].append(Place(layout: rank, number: number, object: object))
                }
            }
        }
        take(places)
    }

    /// Finds the objects of posts by the objects' names alone; the posts are added to the documents.
    ///
    /// - Parameters:
    ///   - activity: The objects.
    ///   - layouts: The forms of names that were stated; what is left goes by its numbers.
    init(byNamesIn activity: inout LoggedActivity, layouts: [ImageLayout]) {
        listings = ObjectListings(activity)
        owners = Array(repeating: [], count: activity.objects.count)
        forms = takeNames(of: Array(activity.objects.indices), in: &activity, layouts: layouts)
    }

    /// Finds the posts of objects that were listed and belong to no document.
    mutating func takeListed(in activity: inout LoggedActivity) {
        let listed = owners.indices.filter { owners[$0].isEmpty && !listings.lists(having: $0).isEmpty }
        _ = takeNames(of: listed, in: &activity, layouts: [])
    }

    /// Finds posts by names; returns the forms of those that have numbers.
    private mutating func takeNames(
        of objects: [Int],
        in activity: inout LoggedActivity,
        layouts: [ImageLayout]
    ) -> [String] {
        let numbered = NumberedNames(objects.map { activity.objects[$0].name })
        var posts: [String: Int] = [:]
        var places: [Int32: [Place]] = [:]
        for (object, numberedPlace) in zip(objects, numbered.places) {
            let (bucket, name) = (activity.objects[object].bucket, activity.objects[object].name)
            let stated = layouts.lazy.compactMap { layout in
                layout.values(in: name).map { values in
                    let post = values.fields.joined(separator: "/")
                    return NumberedNames.Place(post: post, number: values.number ?? 0)
                }
            }.first
            guard let place = stated ?? numberedPlace else { continue }
            let key = bucket.isEmpty ? place.post : "\(bucket)/\(place.post)"
            let post = posts[key] ?? activity.addPosts([key])
            posts[key] = post
            places[Int32(post), default: []].append(Place(layout: 0, number: place.number, object: object))
        }
        take(places)
        return numbered.forms
    }

    private mutating func take(_ places: [Int32: [Place]]) {
        for (document, found) in places {
            let sorted = found.sorted { ($0.layout, $0.number, $0.object) < ($1.layout, $1.number, $1.object) }
            objects[document] = sorted.map(\.object)
            for (index, place) in sorted.enumerated() {
                owners[place.object].append(Owner(document: document, index: Int32(index)))
            }
        }
    }

    /// The documents of a layout's collection by the values of its fields, with the place of the value in a list of them.
    private static func documents(of layout: ImageLayout, in activity: LoggedActivity) -> [Key: [(Int32, Int)]] {
        var found: [Key: [(Int32, Int)]] = [:]
        for (number, document) in activity.documents.enumerated() {
            let segments = document.path.split(separator: "/").map(String.init)
            let collections = segments.indices.filter { $0.isMultiple(of: 2) }.map { segments[$0] }
            guard collections.joined(separator: "/") == layout.collection || collections.last == layout.collection,
                activity.recordings.indices.contains(document.recording)
            else { continue }
            let hash = activity.recordings[document.recording]
            var keys: [(values: [UInt64], place: Int)] = [([], 0)]
            for field in layout.fields {
                let values =
                    if field == ImageLayout.id {
                        segments.last.map { [hash.hash($0.utf8)] } ?? []
                    } else if let place = collections.firstIndex(of: field), document.mentions[field] == nil {
                        [hash.hash(segments[2 * place + 1].utf8)]
                    } else {
                        document.mentions[field] ?? []
                    }
                keys = keys.flatMap { key in
                    values.enumerated().map { (key.values + [$0.element], max(key.place, $0.offset)) }
                }
            }
            for key in keys {
                found[Key(recording: document.recording, values: key.values), default: []]
                    .append((Int32(number), key.place))
            }
        }
        return found
    }
}

extension OwnedObjects {
    /// The usage of the objects that belong to a document.
    func usage(in activity: LoggedActivity) -> UsageTotals {
        zip(activity.objects, owners).reduce(into: .zero) { if !$1.1.isEmpty { $0.add($1.0.usage) } }
    }
}

extension LoggedActivity {
    /// The usage of all objects' downloads.
    var downloadUsage: UsageTotals { objects.reduce(into: .zero) { $0.add($1.usage) } }
}
