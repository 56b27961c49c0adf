// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles
import JSON
package import ObjectStore

/// Writes all live objects as the official Firebase emulators' exports have them.
///
/// Noncurrent and softly deleted versions, and the settings of buckets, have no place there and are left out. Requests
/// may change objects meanwhile: each is exported as it was at one moment, not all as they were at the same.
package struct StorageExport: Sendable {
    private static let bucketPageSize = 1_000

    let store: SQLiteObjectStore
    /// Called after every object; may throw to stop.
    var onProgress: @Sendable (ExportCounts) throws -> Void = { _ in }

    /// Exports what a store holds.
    package init(store: SQLiteObjectStore) {
        self.store = store
    }

    /// Writes an export with Storage data into a directory, which is created if need be.
    ///
    /// Data of other services in an earlier export there are left alone. Until the end, and whenever this fails or the
    /// process dies, the earlier export stays whole. Throws `notAnExport` for a directory that holds anything else.
    package func write(to directory: String) throws -> ExportCounts {
        let root = FileTree.absolute(directory)
        let isNew = try FileTree.kind(of: root) == nil
        if isNew { try FileTree.createDirectories(root) }
        guard let earlier = try ExportManifest(of: root) else {
            guard try FileTree.isEmpty(root) else {
                throw ExportError.notAnExport(root, missing: ExportLayout.manifest)
            }
            return try writeFirst(to: root, isNew: isNew)
        }
        return try write(to: root, after: earlier)
    }

    /// Marks the directory as an export before anything is in it: one that is broken off can then be repeated.
    private func writeFirst(to root: String, isNew: Bool) throws -> ExportCounts {
        do {
            let manifest = ExportManifest()
            try manifest.write(to: root)
            return try write(to: root, after: manifest)
        } catch {
            try? FileTree.removeTree("\(root)/\(ExportLayout.manifest)")
            // Only an empty one goes.
            if isNew { FileTree.removeIfEmpty(root) }
            throw error
        }
    }

    private func write(to root: String, after earlier: ExportManifest) throws -> ExportCounts {
        let counts = try write(storageTo: "\(root)/\(ExportLayout.storage)")
        var manifest = earlier
        manifest.nameStorage()
        if manifest != earlier { try manifest.write(to: root) }
        return counts
    }

    /// Writes Storage data alone into a directory, which may hold nothing but such data.
    package func write(storageTo directory: String) throws -> ExportCounts {
        let root = FileTree.absolute(directory)
        try requireReplaceable(root)
        let target = try ReplacedDirectory(root)
        do {
            let counts = try writeEverything(to: target.staging)
            try target.commit()
            return counts
        } catch {
            target.discard()
            throw error
        }
    }

    private func requireReplaceable(_ root: String) throws {
        switch try FileTree.kind(of: root) {
        case nil: return
        case .directory: break
        case .link, .regular, .other: throw ExportError.notADirectory(root)
        }
        guard try FileTree.kind(of: "\(root)/\(ExportLayout.buckets)") == nil else { return }
        guard try FileTree.isEmpty(root) else {
            throw ExportError.notAnExport(root, missing: ExportLayout.buckets)
        }
    }

    private func writeEverything(to directory: String) throws -> ExportCounts {
        try FileTree.createDirectory("\(directory)/\(ExportLayout.blobs)")
        try FileTree.createDirectory("\(directory)/\(ExportLayout.metadata)")
        var counts = ExportCounts()
        var buckets: [JSONText] = []
        var last = ""
        while true {
            let page = try store.buckets(after: last, count: Self.bucketPageSize)
            for bucket in page {
                try writeObjects(of: bucket.name, to: directory, into: &counts)
                buckets.append(.object([("id", .string(bucket.name.description))]))
                counts.buckets += 1
            }
            guard let end = page.last else { break }
            last = end.name.description
        }
        let list = JSONText.object([("buckets", .array(buckets))]).rendered()
        try ExportFile.create("\(directory)/\(ExportLayout.buckets)", holding: list)
        return counts
    }

    private func writeObjects(of bucket: BucketName, to directory: String, into counts: inout ExportCounts) throws {
        var query = ObjectListQuery()
        repeat {
            let page = try store.list(bucket, matching: query)
            for object in page.items {
                // Deleted since the page was read, or replaced: the reader knows what it is now.
                guard let reader = try store.open(object.path) else { continue }
                try write(reader, to: directory)
                counts.objects += 1
                counts.bytes += reader.metadata.byteCount
                try onProgress(counts)
            }
            query.pageToken = page.nextPageToken
        } while query.pageToken != nil
    }

    private func write(_ reader: ObjectReader, to directory: String) throws {
        let name = reader.metadata.path.exportedFileName
        let blob = try ExportFile.creating("\(directory)/\(ExportLayout.blobs)/\(name)")
        let digest = try reader.readVerified { try blob.append($0) }
        let record = "\(directory)/\(ExportLayout.metadata)/\(name)\(ExportLayout.metadataExtension)"
        try ExportFile.create(record, holding: try reader.metadata.exportedRecord(digest))
    }
}
