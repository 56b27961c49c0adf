// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import ObjectStoreCrashScript

extension CrashOperation {
    /// Carries the operation out; returns the name of the upload it begins, if any.
    func run(on store: SQLiteObjectStore) throws -> String? {
        switch self {
        case .put(let place, let run):
            let upload = try store.beginUpload()
            try run.forEachPiece { try upload.append($0) }
            _ = try upload.commit(to: place.path)
        case .delete(let place): _ = try store.delete(at: place.path)
        case .remove(let place, let index):
            let generation = try place.generation(index, among: .all, in: store)
            _ = try store.delete(at: place.path, generation: generation)
        case .copy(let source, let target):
            _ = try store.copy(ObjectCopy(from: source.path, to: target.path)) { $0.attributes }
        case .move(let source, let target):
            var copy = ObjectCopy(from: source.path, to: target.path)
            copy.isMove = true
            _ = try store.copy(copy) { $0.attributes }
        case .compose(let place, let names):
            let components = names.compactMap(ObjectName.init).map { ObjectComponent(name: $0) }
            _ = try store.compose(components, into: place.path)
        case .restore(let place, let index):
            let generation = try place.generation(index, among: .softlyDeleted, in: store)
            _ = try store.restore(at: place.path, generation: generation)
        case .begin: return try store.beginResumableUpload(request: "").id.description
        case .append(let upload, let run): try Self.append(run, to: resumable(upload, in: store))
        case .commit(let upload, let place):
            let resumable = try resumable(upload, in: store)
            _ = try resumable.commit(UploadPlacement(path: place.path), in: resumable.takeTurn())
        case .cancel(let upload): try resumable(upload, in: store).cancel()
        case .parts(let operation): return try operation.run(on: store)
        }
        return nil
    }

    private static func append(_ run: CrashRun, to upload: ResumableUpload) throws {
        let turn = upload.takeTurn()
        try run.forEachPiece { try upload.append($0, in: turn) }
        try upload.synchronize()
    }

    private func resumable(_ id: String, in store: SQLiteObjectStore) throws -> ResumableUpload {
        guard let id = UploadID(id), let upload = try store.resumableUpload(id) else {
            preconditionFailure("the script resumes only uploads that are there")
        }
        return upload
    }
}

extension CrashRun {
    /// Bytes appended at a time, so that a kill finds uploads half-way.
    private static let pieceByteCount = 32 << 10

    /// Hands out the bytes in their order.
    func forEachPiece(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        try bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
                let end = min(start + Self.pieceByteCount, bytes.count)
                try take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        }
    }
}

extension CrashPlace {
    /// The path in the store.
    var path: ObjectPath {
        guard let path = ObjectPath(bucket: bucket.rawValue, name: name) else {
            preconditionFailure("the script's names are valid")
        }
        return path
    }

    fileprivate func generation(
        _ index: Int,
        among versions: ObjectListQuery.Versions,
        in store: SQLiteObjectStore
    ) throws -> Int64 {
        var query = ObjectListQuery(prefix: name)
        query.versions = versions
        return try store.list(path.bucket, matching: query).items.filter { $0.name == path.name }[index].generation
    }
}
