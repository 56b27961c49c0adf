// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles
package import JSON
package import ObjectStore

/// Writes all live objects as the official Firebase emulators' exports have them.
///
/// Noncurrent and softly deleted versions, and the settings of buckets, have no place there and are left out, with a
/// warning for buckets that have or had settings, without which there are no such versions. Requests may change objects
/// meanwhile: each is exported as it was at one moment, not all as they were at the same.
package struct StorageExport: ExportPart {
    package let service = "storage"
    private static let bucketPageSize = 1_000

    let store: SQLiteObjectStore

    /// Exports what a store holds.
    package init(store: SQLiteObjectStore) {
        self.store = store
    }

    /// Writes Storage data alone into a directory, which may hold nothing but such data.
    package func write(storageTo directory: String, _ work: TransferWork = TransferWork()) throws -> ExportCounts {
        let root = FileTree.absolute(directory)
        try requireReplaceable(root)
        let target = try ReplacedDirectory(root)
        do {
            var counts = ExportCounts()
            try writeEverything(to: target.staging, &counts, work)
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

    package func write(in root: String, _ counts: inout ExportCounts, _ work: TransferWork) throws -> JSONValue {
        let path = ExportLayout.storage
        try FileTree.createDirectory("\(root)/\(path)")
        try writeEverything(to: "\(root)/\(path)", &counts, work)
        return ExportManifest.entry(at: path)
    }

    private func writeEverything(
        to directory: String,
        _ counts: inout ExportCounts,
        _ work: TransferWork
    ) throws {
        try FileTree.createDirectory("\(directory)/\(ExportLayout.blobs)")
        try FileTree.createDirectory("\(directory)/\(ExportLayout.metadata)")
        var buckets = ListWriter("\(directory)/\(ExportLayout.buckets)", member: ExportLayout.bucketList)
        var settled = NameList()
        var last = ""
        while true {
            let page = try store.buckets(after: last, count: Self.bucketPageSize)
            for bucket in page {
                try writeObjects(of: bucket.name, to: directory, into: &counts, work)
                try buckets.append(.object([("id", .string(bucket.name.description))]))
                counts.buckets += 1
                if bucket.hasSettings { settled.append(bucket.name.description) }
            }
            guard let end = page.last else { break }
            last = end.name.description
        }
        try buckets.finish()
        if settled.count > 0 {
            work.onWarning("left out of the export: settings, and versions that are not live, of buckets (\(settled))")
        }
    }

    private func writeObjects(
        of bucket: BucketName,
        to directory: String,
        into counts: inout ExportCounts,
        _ work: TransferWork
    ) throws {
        var query = ObjectListQuery()
        repeat {
            let page = try store.list(bucket, matching: query)
            for object in page.items {
                // Deleted since the page was read, or replaced: the reader knows what it is now.
                guard let reader = try store.open(object.path) else { continue }
                try write(reader, to: directory)
                counts.objects += 1
                counts.bytes += reader.metadata.byteCount
                try work.onProgress(counts)
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

extension BucketMetadata {
    /// Whether anything but objects was ever put there.
    fileprivate var hasSettings: Bool { settings != BucketSettings() || metageneration > 1 }
}
