// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON

/// `firebase-export-metadata.json`: which services an export holds, and where.
struct ExportManifest: Equatable {
    private static let byteCountMax = 1 << 20

    private var members: [String: JSONValue]

    /// A manifest of nothing.
    init() {
        members = ["version": .string(ExportLayout.version)]
    }

    /// Reads the manifest of a directory; `nil` when there is none.
    init?(of directory: String) throws {
        let path = "\(directory)/\(ExportLayout.manifest)"
        guard try FileTree.kind(of: path) != nil else { return nil }
        guard case .object(let members) = try Self.json(path) else {
            throw ExportError.badFile(path, because: "is no JSON object")
        }
        self.members = members
    }

    /// Reads a small file of JSON.
    static func json(_ path: String) throws -> JSONValue {
        let text = try ExportFile.reading(path).contents(upTo: byteCountMax)
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw ExportError.badFile(path, because: "is no JSON: \(error)")
        }
    }

    /// The services whose data are here.
    var services: [String] { members.filter { $0.value["path"] != nil }.keys.sorted() }

    /// The entry of a service.
    subscript(service: String) -> JSONValue? {
        get { members[service] }
        set { members[service] = newValue }
    }

    /// The entry of a service whose data are in a directory.
    static func entry(at path: String) -> JSONValue {
        .object(["version": .string(ExportLayout.version), "path": .string(path)])
    }

    /// Where the data of a service are, as seen from the directory; `nil` when there are none.
    ///
    /// Throws for a path that leads out of the directory.
    func path(of service: String, in directory: String) throws -> String? {
        guard let entry = members[service], entry != .null else { return nil }
        let file = "\(directory)/\(ExportLayout.manifest)"
        guard let path = entry["path"]?.string, !path.isEmpty else {
            throw ExportError.badFile(file, because: "does not say where its data of '\(service)' are")
        }
        try Self.requireWithin(path, of: service, file)
        return path
    }

    /// All directories with data of a service, as seen from the directory: one, or one for each database.
    func directories(of service: String, in directory: String) throws -> [String] {
        let others = members[service]?["databases"]?.array ?? []
        let file = "\(directory)/\(ExportLayout.manifest)"
        return try [path(of: service, in: directory)].compactMap(\.self)
            + others.compactMap { $0["path"]?.string }.map { path in
                try Self.requireWithin(path, of: service, file)
                return path
            }
    }

    static func requireWithin(_ path: String, of service: String, _ file: String) throws {
        guard FileTree.steps(within: path) != nil else {
            throw ExportError.badFile(
                file,
                because: "has its data of '\(service)' at '\(path)', which is no path within the export"
            )
        }
    }

    /// Puts the manifest into a directory as one step; durable on return.
    func write(to directory: String) throws {
        let path = "\(directory)/\(ExportLayout.manifest)"
        let text = JSONText.object(
            members.sorted { $0.key < $1.key }.map {
                ($0.key, .verbatim(String(decoding: $0.value.encoded, as: UTF8.self)))
            }
        )
        let staging = "\(directory)/.\(ExportLayout.manifest).firemeter-new"
        try FileTree.removeTree(staging)
        try ExportFile.create(staging, holding: text.rendered() + "\n", isDurable: true)
        try FileTree.move(staging, to: path)
        try LockedDirectory(directory).synchronize()
    }
}

/// The names in an export of the official Firebase emulators.
///
///     firebase-export-metadata.json       what is here: storage, firestore, auth …
///     storage_export/buckets.json         the names of the buckets
///     storage_export/metadata/<n>.json    what is known of an object
///     storage_export/blobs/<n>            its bytes
///
/// `<n>` is `bucket/object` until firebase-tools 10.4.1, `bucket%2Fobject` from 10.4.2 on (`%5C` where Windows wrote it),
/// and a UUID from 11.3.0 on; all that a reader relies on is that both files have it. Source: firebase-tools 15.28.1,
/// `src/emulator/storage/files.ts` and `hubExport.ts`.
enum ExportLayout {
    static let manifest = "firebase-export-metadata.json"
    static let storage = "storage_export"
    static let buckets = "buckets.json"
    static let bucketList = "buckets"
    static let metadata = "metadata"
    static let blobs = "blobs"
    static let metadataExtension = ".json"

    /// The version of the official emulators that began to write the layout in which exports are written here.
    static let version = "11.3.0"
}
