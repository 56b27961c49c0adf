// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles

typealias StoreFile = OpenFile<ObjectStoreError>

/// Operations on the names of the store's files.
typealias StoreFiles = FileSystem<ObjectStoreError>

/// The files of a store.
///
///     objects.lock       held exclusively while the store is open
///     objects.sqlite     the metadata
///     uploads/<id>       bytes that are still arriving
///     blobs/<2>/<id>     bytes of stored objects, never changed once they are here
struct StoreDirectory: Sendable {
    let path: String
    private let durability: ObjectStoreConfiguration.Durability
    let reserve: SpaceReserve
    // Held until the store is closed or goes: closing the file releases the lock.
    private let lockFile: StoreFile

    init(path: String, durability: ObjectStoreConfiguration.Durability, reserve: SpaceReserve = .none) throws {
        self.path = path
        self.durability = durability
        self.reserve = reserve
        do {
            lockFile = try Self.prepare(path)
        } catch let error as ObjectStoreError where error.code == .directoryNotWritable {
            throw ObjectStoreError.directoryNotWritable(path, cause: error)
        }
        guard try lockFile.tryLock() else { throw ObjectStoreError.directoryInUse(path) }
    }

    private static func prepare(_ path: String) throws -> StoreFile {
        for directory in [path, path + "/uploads", path + "/blobs"] {
            try StoreFiles.createDirectories(directory)
            // One of a copy, or of a backup, can be open to others.
            OwnFiles.closeToOthers(directory)
        }
        OwnFiles.closeToOthers(path + "/objects.lock")
        return try StoreFile(path + "/objects.lock", .readingAndWriting, .creating)
    }

    /// Lets another store open the directory.
    func unlock() { lockFile.unlock() }

    var databasePath: String { path + "/objects.sqlite" }
    var uploadsPath: String { path + "/uploads" }
    var blobsPath: String { path + "/blobs" }

    func uploadPath(_ id: BlobID) -> String { "\(uploadsPath)/\(id.description)" }
    func shardPath(_ id: BlobID) -> String { "\(blobsPath)/\(id.shard)" }
    func blobPath(_ id: BlobID) -> String { "\(shardPath(id))/\(id.description)" }
}

extension StoreDirectory {
    /// Throws `diskFull` when what is left of the disk is kept for deleting.
    func requireRoom() throws {
        guard !reserve.isShort else { throw ObjectStoreError.spaceKept }
    }

    /// Makes the names of the store's own files survive the death of the machine.
    func synchronize() throws {
        guard durability == .full else { return }
        try StoreFiles.synchronizeDirectory(path)
    }

    /// Puts a finished upload among the blobs; on return it survives whatever the durability promises.
    ///
    /// With `isKept` the upload stays where it was under its other name, so that a crash before the blob is some
    /// object's leaves it as it was. After a failure the file is in neither place, or in the old one if kept.
    func place(_ id: BlobID, file: StoreFile, isKept: Bool) throws {
        do {
            try synchronize(file)
            try nameInShard(id, isKept: isKept)
            if durability == .full { try StoreFiles.synchronizeDirectory(shardPath(id)) }
        } catch {
            if !isKept { discardUpload(id) }
            discardBlob(id)
            throw error
        }
    }

    /// Waits until the bytes of a file survive whatever the durability promises.
    func synchronize(_ file: StoreFile) throws {
        if durability == .full { try file.synchronize() }
    }

    /// Waits until the names of the uploads survive whatever the durability promises.
    func synchronizeUploads() throws {
        if durability == .full { try StoreFiles.synchronizeDirectory(uploadsPath) }
    }

    private func nameInShard(_ id: BlobID, isKept: Bool) throws {
        if try name(id, isKept: isKept) { return }
        try StoreFiles.createDirectories(shardPath(id))
        if durability == .full { try StoreFiles.synchronizeDirectory(blobsPath) }
        guard try name(id, isKept: isKept) else {
            throw ObjectStoreError.uploadGone(uploadPath(id))
        }
    }

    private func name(_ id: BlobID, isKept: Bool) throws -> Bool {
        isKept
            ? try StoreFiles.addName(blobPath(id), to: uploadPath(id))
            : try StoreFiles.moveIfThere(uploadPath(id), to: blobPath(id))
    }

    /// Removes an upload; a file that cannot be removed now is swept when the store is next opened.
    func discardUpload(_ id: BlobID) {
        try? StoreFiles.remove(uploadPath(id))
    }

    /// Removes a blob that no row names; a file that cannot be removed now is swept when the store is next opened.
    func discardBlob(_ id: BlobID) {
        try? StoreFiles.remove(blobPath(id))
    }
}
