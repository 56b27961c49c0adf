// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Bytes that arrive in a file of their own and are hashed as they come, until they become a blob.
struct StagedBytes: Sendable {
    /// Bytes read from a file at a time.
    private static let pieceByteCount = 1 << 20

    /// The name of the file, and of the blob that it becomes.
    let id: BlobID
    private let directory: StoreDirectory
    private let byteCountMax: Int64
    private let file: StoreFile
    private var hasher: ObjectHasher?
    private(set) var byteCount: Int64 = 0

    /// Creates an empty file.
    init(in directory: StoreDirectory, byteCountMax: Int64, isHashed: Bool = true) throws {
        try directory.requireRoom()
        self.directory = directory
        self.byteCountMax = byteCountMax
        id = BlobID()
        hasher = isHashed ? try ObjectHasher() : nil
        file = try StoreFile(directory.uploadPath(id), .readingAndWriting, [.creating, .exclusively])
    }

    /// Goes on with a file that is there already, all of which is read again for its checksums; `nil` without one.
    init?(reopening id: BlobID, in directory: StoreDirectory, byteCountMax: Int64) throws {
        guard let file = try StoreFile(ifThere: directory.uploadPath(id), .readingAndWriting, .atEnd) else {
            return nil
        }
        self.id = id
        self.directory = directory
        self.byteCountMax = byteCountMax
        self.file = file
        var hasher = try ObjectHasher()
        byteCount = try file.readAll { try hasher.update($0) }
        // The process before may have died before it synchronised what is about to be counted.
        try directory.synchronize(file)
        self.hasher = hasher
    }

    /// Appends bytes; throws `tooLarge` past the limit, and leaves a file that is good for nothing when it throws.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        let sum = byteCount + Int64(bytes.count)
        guard sum <= byteCountMax else { throw ObjectStoreError.tooLarge(limit: byteCountMax) }
        // Of an upload that began before the disk was full, too.
        try directory.requireRoom()
        try file.append(bytes)
        try hasher?.update(bytes)
        byteCount = sum
    }

    /// Appends all the bytes of another file.
    mutating func append(contentsOf file: StoreFile) throws {
        _ = try file.readAll { try append($0) }
    }

    /// Returns the checksums of what has been appended so far.
    func runningDigest() throws -> ObjectDigest {
        guard let hasher else { preconditionFailure("these bytes were not to be hashed") }
        return try hasher.running()
    }

    /// Returns the checksums; nothing may be appended afterwards.
    func finishHashing() throws -> ObjectDigest {
        guard let hasher else { preconditionFailure("these bytes were not to be hashed") }
        return try hasher.finish()
    }

    /// Waits until what has been appended survives whatever the durability promises.
    func synchronize() throws {
        try directory.synchronize(file)
    }

    /// Makes the bytes a blob, which no row names yet.
    func place(isKept: Bool = false) throws {
        try directory.place(id, file: file, isKept: isKept)
    }

    /// Removes the file; one that cannot be removed now is swept when the store is next opened.
    func discard() {
        directory.discardUpload(id)
    }
}

extension SQLiteObjectStore {
    /// Writes files one after the other into a blob, which no row names yet; each is opened when its turn comes.
    func join<Parts: Sequence>(_ parts: Parts, _ open: (Parts.Element) throws -> StoreFile) throws -> StagedBytes {
        var bytes = try StagedBytes(in: directory, byteCountMax: configuration.objectByteCountMax, isHashed: false)
        do {
            for part in parts { try bytes.append(contentsOf: open(part)) }
            try bytes.place()
            return bytes
        } catch {
            bytes.discard()
            throw error
        }
    }
}

extension ObjectDigest {
    /// The digest of bytes one after the other, computed from those of the parts; without an MD5, as in production.
    static func joining(_ parts: some Sequence<(digest: ObjectDigest, byteCount: Int64)>) -> ObjectDigest {
        let crc32c = parts.reduce(UInt32(0)) { sum, part in
            CRC32CJoining.join(sum, part.digest.crc32c, byteCount: part.byteCount)
        }
        return ObjectDigest(md5: nil, crc32c: crc32c)
    }
}
