// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import ObjectStoreCrashScript
import SeededRandom

/// An endless, seeded sequence of operations on a few names, so that replacements and deletions abound.
///
/// Versions and uploads are chosen among those that are there, whatever the writers before did.
struct CrashScript {
    private static let nameCount = 6
    private static let runByteCountMax = 200_000
    private static let composedByteCountMax: Int64 = 600_000
    /// Versions of a bucket from which on they are rather removed than added.
    private static let versionCountMax = 30
    private static let uploadCountMax = 4

    let store: SQLiteObjectStore
    var random: SplitMix64
    private var uploads: [String]
    var partedUploads: [CrashPartedUpload]

    /// Begins a script; the uploads are those that can be resumed, and the multipart ones that have not ended.
    init(seed: UInt64, store: SQLiteObjectStore, uploads: [String], partedUploads: [CrashPartedUpload]) {
        random = SplitMix64(seed: seed)
        self.store = store
        self.uploads = uploads
        self.partedUploads = partedUploads
    }

    /// Draws until there is something to do.
    mutating func next() throws -> CrashOperation {
        while true {
            if let operation = try draw() { return operation }
        }
    }

    /// Takes note of an upload that the operation has begun.
    mutating func note(upload: String?, begunBy operation: CrashOperation) {
        guard let upload else { return }
        if case .parts(.begin(let place)) = operation {
            partedUploads.append(CrashPartedUpload(id: upload, place: place))
        } else {
            uploads.append(upload)
        }
    }

    private mutating func draw() throws -> CrashOperation? {
        let place = drawPlace()
        if try versions(in: place.bucket).count > Self.versionCountMax { return try drawRemoval(in: place.bucket) }
        switch random.integer(in: 0...26) {
        case 0...4: return .put(place, drawRun())
        case 5...6: return .delete(place)
        case 7...8: return try drawRemoval(in: place.bucket)
        case 9...10: return .copy(place, to: drawPlace())
        case 11: return .move(place, to: drawPlace())
        case 12...13: return try drawComposition(into: place)
        case 14: return try drawRestoration()
        case 15...19: return drawUploading(place)
        default: return .parts(try drawParts(place))
        }
    }

    private mutating func drawPlace() -> CrashPlace {
        CrashPlace(pick(CrashBucket.allCases), "dir/\(random.integer(in: 1...Self.nameCount))")
    }

    mutating func drawRun() -> CrashRun {
        CrashRun(fill: UInt8(random.integer(in: 0...255)), count: random.integer(in: 0...Self.runByteCountMax))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.integer(in: 0...elements.count - 1)]
    }

    private mutating func drawRemoval(in bucket: CrashBucket) throws -> CrashOperation? {
        let found = try versions(in: bucket)
        guard !found.isEmpty else { return nil }
        let (place, index) = place(of: random.integer(in: 0...found.count - 1), among: found, in: bucket)
        return .remove(place, index: index)
    }

    private mutating func drawRestoration() throws -> CrashOperation? {
        let found = try versions(in: .soft, .softlyDeleted)
        guard !found.isEmpty else { return nil }
        let (place, index) = place(of: random.integer(in: 0...found.count - 1), among: found, in: .soft)
        return .restore(place, index: index)
    }

    private func place(of index: Int, among versions: [ObjectMetadata], in bucket: CrashBucket) -> (CrashPlace, Int) {
        let name = versions[index].name
        return (CrashPlace(bucket, name.description), versions[..<index].count { $0.name == name })
    }

    private mutating func drawComposition(into place: CrashPlace) throws -> CrashOperation? {
        let found = try versions(in: place.bucket, .live)
        guard !found.isEmpty else { return nil }
        let parts = (0..<random.integer(in: 1...4)).map { _ in pick(found) }
        // A composed object can be composed again: without a limit it would double each time.
        guard parts.reduce(0, { $0 + $1.byteCount }) <= Self.composedByteCountMax else { return nil }
        return .compose(place, of: parts.map(\.name.description))
    }

    private func versions(
        in bucket: CrashBucket,
        _ versions: ObjectListQuery.Versions = .all
    ) throws -> [ObjectMetadata] {
        guard let name = BucketName(bucket.rawValue) else { return [] }
        var query = ObjectListQuery()
        query.versions = versions
        return try store.list(name, matching: query).items
    }

    private mutating func drawUploading(_ place: CrashPlace) -> CrashOperation {
        let choice = random.integer(in: 0...9)
        if uploads.isEmpty || (choice < 2 && uploads.count < Self.uploadCountMax) { return .begin }
        let index = random.integer(in: 0...uploads.count - 1)
        switch choice {
        case 0...6: return .append(upload: uploads[index], drawRun())
        case 7...8: return .commit(upload: uploads.remove(at: index), place)
        default: return .cancel(upload: uploads.remove(at: index))
        }
    }
}
