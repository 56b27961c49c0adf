// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The names of the objects that a listing is about.
struct ListedNames: Sendable, Hashable {
    let bucket: String
    let prefix: String
    /// Whether names with a slash behind the prefix are left out: they are in folders, which are listed by themselves.
    let hasDelimiter: Bool

    /// The listing in words, without values.
    var description: String { "objects of \(bucket)" + (prefix.isEmpty ? "" : " under a prefix") }

    func has(_ object: LoggedActivity.Object) -> Bool {
        guard object.bucket == bucket, object.name.utf8.starts(with: prefix.utf8) else { return false }
        return !hasDelimiter || !object.name.utf8.dropFirst(prefix.utf8.count).contains(UInt8(ascii: "/"))
    }
}

/// The listings of a log, and which objects each has.
struct ObjectListings: Sendable {
    private struct Folder: Hashable {
        let bucket: String
        let prefix: String
    }

    private let objects: [LoggedActivity.Object]
    private let lists: [Int: ListedNames]
    private let byFolder: [Folder: [Int]]

    init(_ activity: LoggedActivity) {
        objects = activity.objects
        let found = activity.lists.enumerated().compactMap { number, list in list.names.map { (number, $0) } }
        lists = Dictionary(uniqueKeysWithValues: found)
        byFolder = Dictionary(grouping: found) { Folder(bucket: $0.1.bucket, prefix: $0.1.prefix) }
            .mapValues { $0.map(\.0) }
    }

    /// Whether a list is a listing that has an object.
    func list(_ list: Int, has object: Int) -> Bool { lists[list]?.has(objects[object]) ?? false }

    /// The listings that have an object, of the whole bucket or of a folder; other prefixes are not looked for.
    func lists(having object: Int) -> [Int] {
        guard !lists.isEmpty else { return [] }
        let (bucket, name) = (objects[object].bucket, objects[object].name)
        let folders = [""] + name.indices.filter { name[$0] == "/" }.map { String(name[...$0]) }
        return folders.reversed().flatMap { byFolder[Folder(bucket: bucket, prefix: $0)] ?? [] }
            .filter { list($0, has: object) }
    }
}
