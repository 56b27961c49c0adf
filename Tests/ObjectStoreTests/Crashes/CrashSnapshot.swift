// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import ObjectStoreCrashScript
import Testing

@testable import ObjectStore

/// The contents of a store, actual or expected, with the checksums of bytes that were read or made for it.
struct CrashSnapshot: Hashable {
    struct Version: Hashable {
        var bytes: Sums
        var standing: CrashState.Standing
    }

    /// The number and the checksums of bytes.
    struct Sums: Hashable, CustomStringConvertible {
        var byteCount: Int64 = 0
        var crc32c: UInt32 = 0

        var description: String { "\(byteCount):\(crc32c)" }
    }

    /// The versions of every object, the oldest first.
    var versions: [CrashPlace: [Version]] = [:]
    /// The uploads that can be resumed.
    var uploads: [String: Sums] = [:]
    /// The multipart uploads that have not ended, and their parts.
    var partedUploads: [CrashPartedUpload: [Int: Sums]] = [:]
}

extension CrashSnapshot {
    /// Reads everything in a store.
    init(_ store: SQLiteObjectStore) throws {
        for bucket in CrashBucket.allCases {
            let objects = try Self.objects(in: bucket, of: store)
            for object in objects.sorted(by: { $0.generation < $1.generation }) {
                let version = Version(bytes: try Self.read(object, in: store), standing: object.standing)
                versions[CrashPlace(bucket, object.name.description), default: []].append(version)
            }
        }
        for id in try store.reading({ try UploadTable(database: $0).activeIDs() }) {
            let name = try #require(UploadID(id))
            let upload = try #require(try store.resumableUpload(name))
            guard case .active(let byteCount) = try upload.progress() else { continue }
            uploads[id] = Sums(byteCount: byteCount, crc32c: try upload.runningDigest().sums.crc32c)
        }
        partedUploads = try Self.partedUploads(in: store)
    }

    private static func objects(in bucket: CrashBucket, of store: SQLiteObjectStore) throws -> [ObjectMetadata] {
        let name = try #require(BucketName(bucket.rawValue))
        return try [ObjectListQuery.Versions.all, .softlyDeleted].flatMap { versions in
            var query = ObjectListQuery()
            query.versions = versions
            let listing = try store.list(name, matching: query)
            #expect(listing.nextPageToken == nil)
            return listing.items
        }
    }

    private static func read(_ object: ObjectMetadata, in store: SQLiteObjectStore) throws -> Sums {
        // The bytes of a softly deleted version can be had by restoring it only.
        let row = try #require(
            try store.reading {
                try ObjectTable($0, bucket: object.bucket)?.row(object.name, generation: object.generation)
            }
        )
        let file = try #require(try StoreFile(ifThere: store.directory.blobPath(row.blob), .reading))
        let bytes = try ObjectReader(metadata: object, file: file).bytes()
        let digest = try ObjectDigest(of: bytes)
        #expect(object.digest.crc32c == digest.crc32c)
        #expect(object.digest.md5 == nil || object.digest.md5 == digest.md5)
        return Sums(byteCount: Int64(bytes.count), crc32c: digest.crc32c)
    }
}

extension CrashState {
    /// The checksums of what should be there.
    func snapshot() throws -> CrashSnapshot {
        var snapshot = CrashSnapshot()
        for (place, versions) in versions where !versions.isEmpty {
            snapshot.versions[place] = try versions.map { .init(bytes: try $0.contents.sums(), standing: $0.standing) }
        }
        snapshot.uploads = try uploads.mapValues { try $0.sums() }
        snapshot.partedUploads = try partedUploads.mapValues { parts in
            try parts.mapValues { try CrashContents(runs: [$0]).sums() }
        }
        return snapshot
    }
}

extension CrashContents {
    fileprivate func sums() throws -> CrashSnapshot.Sums {
        .init(byteCount: Int64(byteCount), crc32c: try ObjectDigest(of: runs.flatMap(\.bytes)).crc32c)
    }
}

extension ObjectDigest {
    fileprivate init(of bytes: [UInt8]) throws {
        var hasher = try ObjectHasher()
        try bytes.withUnsafeBytes { try hasher.update($0) }
        self = try hasher.finish()
    }
}

extension ObjectMetadata {
    fileprivate var standing: CrashState.Standing {
        guard let retirement else { return .live }
        return retirement.restorableUntil.map { .softlyDeleted(until: $0) } ?? .noncurrent
    }
}
