// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The changes of a disk cache in the order in which they were made, by all processes that share its directory.
///
/// Each process has read up to some place and follows by reading on; what it changes itself it appends, while it holds
/// the lock. The journal is only a short cut: what it says is made good from the files themselves when it is lost.
struct DiskJournal {
    private let url: URL
    private let lockURL: URL
    private var lockHandle: FileHandle
    private var handle: FileHandle
    /// The place up to which this process knows the journal.
    private var offset: UInt64 = 0

    /// Opens the journal of a directory, or begins one.
    init(directory: URL) throws {
        url = directory.appendingPathComponent(CacheFileName.journal)
        lockURL = directory.appendingPathComponent(CacheFileName.lock)
        guard let lockHandle = FileHandle.updating(lockURL),
            let handle = FileHandle.updating(url)
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.lockHandle = lockHandle
        self.handle = handle
    }

    /// The records that this process has read or written since the journal was begun.
    var recordCount: Int { Int(offset) / JournalRecord.byteCount }

    /// Keeps other processes from changing the directory until the matching ``unlock()``.
    mutating func lock() {
        lockHandle.lock()
        // Another process may have emptied the directory: then the others lock another file of this name.
        while !lockHandle.isFile(at: lockURL), let handle = FileHandle.updating(lockURL) {
            lockHandle = handle
            lockHandle.lock()
        }
    }

    func unlock() { lockHandle.unlock() }

    /// The records appended since the last call, by any process; `isNew` if the journal was rewritten and this is all of it.
    mutating func news() -> (isNew: Bool, records: [JournalRecord]) {
        var isNew = false
        if !handle.isFile(at: url), let newHandle = FileHandle.updating(url) {
            (handle, offset, isNew) = (newHandle, 0, true)
        }
        guard let end = try? handle.seekToEnd(), end > offset else { return (isNew, []) }
        try? handle.seek(toOffset: offset)
        let bytes = (try? handle.readToEnd()) ?? Data()
        // Half a record at the end belongs to a process that still writes it, or that was killed: read again next time.
        let wholeByteCount = bytes.count - bytes.count % JournalRecord.byteCount
        offset += UInt64(wholeByteCount)
        let records = stride(from: 0, to: wholeByteCount, by: JournalRecord.byteCount).compactMap { start in
            JournalRecord(bytes.dropFirst(start).prefix(JournalRecord.byteCount))
        }
        return (isNew, records)
    }

    /// Appends what this process has changed; the lock must be held and the news be read.
    ///
    /// It is written over half a record that a process may have left when it was killed. A journal that cannot be written
    /// leaves the cache to the files themselves.
    mutating func append(_ records: [JournalRecord]) {
        guard !records.isEmpty else { return }
        do {
            try handle.truncate(atOffset: offset)
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: records.reduce(into: Data()) { $0 += $1.encoded })
            offset += UInt64(records.count * JournalRecord.byteCount)
        } catch {
            // A record that is there by half would put all that follow out of step.
            try? handle.truncate(atOffset: offset)
        }
    }

    /// Puts a new journal in place of this one; the lock must be held.
    mutating func replace(with records: [JournalRecord]) {
        let newURL = url.deletingLastPathComponent().appendingPathComponent(CacheFileName.newJournal)
        let bytes = records.reduce(into: Data(capacity: records.count * JournalRecord.byteCount)) { $0 += $1.encoded }
        do {
            try bytes.write(to: newURL)
            try renameFile(newURL, to: url)
            guard let newHandle = FileHandle.updating(url) else { return }
            (handle, offset) = (newHandle, UInt64(bytes.count))
        } catch {
            try? FileManager.default.removeItem(at: newURL)
        }
    }
}
