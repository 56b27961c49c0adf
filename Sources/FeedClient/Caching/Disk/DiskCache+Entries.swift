// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The table of what is held, which the processes that share a directory keep alike by way of the journal.
extension DiskCache {
    /// The journal is rewritten when it has this many records more than two for each image.
    static let journalSlackCount = 4_096
    /// Images that are too old are looked for this often.
    package static let sweepInterval = Duration.seconds(3_600)

    /// Changes the directory and the table while no other process does.
    mutating func change<Failure: Error>(_ body: (inout DiskCache) throws(Failure) -> Void) throws(Failure) {
        journal.lock()
        defer { journal.unlock() }
        follow()
        if isLost {
            isLost = false
            // A directory that cannot be listed holds nothing that could be found.
            try? reconcile()
        }
        try body(&self)
        compactWhenLong()
    }

    /// Learns what was changed by others.
    mutating func follow() {
        let (isNew, records) = journal.news()
        if isNew { index.removeAll() }
        isLost = isLost || isNew && records.isEmpty
        for record in records { apply(record) }
    }

    private mutating func apply(_ record: JournalRecord) {
        switch record.kind {
        case .insert:
            // Who put it in has made room for it and says so in the records that follow.
            index.insertWithoutMakingRoom(record.stem, value: record.time, byteCount: record.imageByteCount)
        case .touch:
            index.touch(record.stem)
            index.replace(record.stem, with: record.time)
        case .remove: index.remove(record.stem)
        }
    }

    mutating func touchEntry(_ stem: String) {
        let record = JournalRecord(.touch, stem: stem, time: now())
        apply(record)
        journal.append([record])
    }

    mutating func insertEntry(_ stem: String, imageByteCount: Int) {
        let time = now()
        let insertion = index.insert(stem, value: time, byteCount: imageByteCount)
        let dropped = insertion.dropped.map(\.key).filter { !insertion.isHeld || $0 != stem }
        var records = dropped.map { JournalRecord(.remove, stem: $0) }
        for stem in dropped { removeFile(stem) }
        if insertion.isHeld {
            records.append(JournalRecord(.insert, stem: stem, imageByteCount: imageByteCount, time: time))
        } else {
            removeFile(stem)
        }
        journal.append(records)
    }

    mutating func removeEntry(_ stem: String) {
        removeFile(stem)
        guard index.remove(stem) != nil else { return }
        journal.append([JournalRecord(.remove, stem: stem)])
    }

    /// Removes what is too old or has no file, by what all processes know now.
    mutating func removeUnlessStoredAnew(_ stem: String) {
        guard let lastAskedFor = index[stem] else { return }
        guard isTooOld(lastAskedFor) || !FileManager.default.fileExists(atPath: url(stem).path) else { return }
        removeEntry(stem)
    }

    /// A file that cannot be removed stays behind; the next opening finds it again.
    private func removeFile(_ stem: String) { try? FileManager.default.removeItem(at: url(stem)) }

    func isTooOld(_ lastAskedFor: Int64) -> Bool {
        guard let ageMax else { return false }
        return Duration.microseconds(now() - lastAskedFor) > ageMax
    }

    var sweepIsDue: Bool {
        ageMax != nil && (lastSweep == .min || Duration.microseconds(now() - lastSweep) >= Self.sweepInterval)
    }

    /// Removes the images that are too old.
    mutating func sweep() {
        lastSweep = now()
        for stem in index.keys where index[stem].map(isTooOld) == true { removeEntry(stem) }
    }

    private mutating func compactWhenLong() {
        guard journal.recordCount > 2 * index.count + Self.journalSlackCount else { return }
        journal.replace(with: snapshot)
    }

    /// The images held, the least recently asked for first; what a policy knows besides starts from scratch.
    private var snapshot: [JournalRecord] {
        index.entries.map { JournalRecord(.insert, stem: $0.key, imageByteCount: $0.byteCount, time: $0.value) }
            .sorted { ($0.time, $0.stem) < ($1.time, $1.stem) }
    }
}
