// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON
package import ObjectStore

/// Loads the Storage data of an export of the official Firebase emulators, of any of their versions.
///
/// All or nothing: it is one transaction of the store. After a failure, and after the death of the process at any moment
/// before the end, the store holds what it held before; after the end, everything.
package struct StorageImport: ImportPart {
    private static let recordByteCountMax = 1 << 20

    package let service = "storage"
    private let store: SQLiteObjectStore

    /// Imports into a store; objects of the names that come are replaced, others stay.
    package init(store: SQLiteObjectStore) { self.store = store }

    package func isAlone(in root: String) throws -> Bool {
        try FileTree.kind(of: "\(root)/\(ExportLayout.buckets)") != nil
    }

    package func byteCount(of source: ImportSource) throws -> Int64 {
        let storage = try directory(in: source)
        var count = try ExportFile.reading("\(storage)/\(ExportLayout.buckets)").status().byteCount
        for folder in [ExportLayout.metadata, ExportLayout.blobs].map({ "\(storage)/\($0)" }) {
            let files = try FileWalk(folder)
            while let file = try files.next() {
                let status = try FileTree.status(of: "\(folder)/\(file)", followingLinks: false)
                count = count.joined(with: status?.byteCount ?? 0)
            }
        }
        return count
    }

    package func read(_ source: ImportSource, _ counts: inout ExportCounts, _ work: TransferWork) throws {
        let storage = try directory(in: source)
        let earlier = counts
        counts = try store.importing { target in
            var counts = earlier
            try forEachBucket(in: storage, work) { bucket in
                try target.ensureBucket(bucket)
                counts.buckets += 1
            }
            let (metadata, blobs) = ("\(storage)/\(ExportLayout.metadata)", "\(storage)/\(ExportLayout.blobs)")
            guard try isDirectory(metadata), try isDirectory(blobs) else {
                work.onWarning(
                    "\(storage) has no objects: its \(ExportLayout.metadata) or \(ExportLayout.blobs) are missing"
                )
                return counts
            }
            let files = try FileWalk(metadata)
            while let file = try files.next() {
                guard file.hasSuffix(ExportLayout.metadataExtension) else { continue }
                let blob = file.dropLast(ExportLayout.metadataExtension.utf8.count)
                counts.bytes += try load("\(metadata)/\(file)", blob: String(blob), in: blobs, into: target, work)
                counts.objects += 1
                try work.onProgress(counts)
            }
            return counts
        }
    }

    /// Returns the directory that holds `buckets.json`.
    private func directory(in source: ImportSource) throws -> String {
        guard let path = try source.manifest?.path(of: service, in: source.root) else { return source.root }
        if path == ExportLayout.storage { try ReplacedDirectory.recover("\(source.root)/\(path)") }
        try FileTree.refuseLinks(path, in: source.root)
        return "\(source.root)/\(path)"
    }

    private func forEachBucket(
        in storage: String,
        _ work: TransferWork,
        _ take: (BucketName) throws -> Void
    ) throws {
        let path = "\(storage)/\(ExportLayout.buckets)"
        var list = try ListReader(path, onRead: work.onRead)
        let contents = try list.forEach(in: ExportLayout.bucketList) { entry, _ in
            guard let bucket = entry["id"]?.string.flatMap(BucketName.init) else {
                throw ExportError.badFile(path, because: "names a bucket that is no bucket name")
            }
            try take(bucket)
        }
        guard contents == .list else { throw ExportError.badFile(path, because: "has no list of buckets") }
    }

    /// Imports one object; returns its size.
    private func load(
        _ recordPath: String,
        blob: String,
        in blobs: String,
        into target: ObjectImport,
        _ work: TransferWork
    ) throws -> Int64 {
        let object: ImportedObject
        do {
            let text = try ExportFile.reading(recordPath).contents(upTo: Self.recordByteCountMax)
            work.onRead(text.count)
            object = try ObjectRecord(json: try JSONValue(parsing: text)).object()
        } catch let error as JSONError {
            throw ExportError.badFile(recordPath, because: "is no JSON: \(error)")
        } catch let fault as ObjectRecord.Fault {
            throw ExportError.badFile(recordPath, because: "is no record of an object: \(fault.reason)")
        }
        try FileTree.refuseLinks(blob, in: blobs)
        let file = try ExportFile.reading("\(blobs)/\(blob)")
        let byteCount = try file.status().byteCount
        if let expected = object.byteCount, expected != byteCount {
            let reason = "has \(byteCount) bytes; \(recordPath) says \(expected)"
            throw ExportError.badFile("\(blobs)/\(blob)", because: reason)
        }
        do {
            return try target.store(object) { take in
                _ = try file.readAll { piece in
                    work.onRead(piece.count)
                    try take(piece)
                }
            }.byteCount
        } catch let error as ObjectStoreError where error.isOfImportedObject {
            throw ExportError.badFile("\(blobs)/\(blob)", because: "cannot become \(object.path): \(error.message)")
        }
    }

    private func isDirectory(_ path: String) throws -> Bool {
        switch try FileTree.kind(of: path) {
        case nil: false
        case .directory: true
        case .link: throw ExportError.link(path)
        case .regular, .other: throw ExportError.notADirectory(path)
        }
    }
}

extension ObjectStoreError {
    /// Whether the object itself is to blame, not the store that it should go to.
    fileprivate var isOfImportedObject: Bool {
        [.hashMismatch, .tooLarge, .invalidAttribute, .alreadyImported, .held, .retained].contains(code)
    }
}
