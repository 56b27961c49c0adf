// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The received part of an image, kept so that a download that breaks off can be resumed, also by another process.
///
/// It is written every 64 KiB, and when it breaks off.
final class PartialDownload {
    static let spillByteCount = 64 << 10

    private let key: String
    private let store: PartialStore
    private var file: PartialFile?
    private var writtenByteCount = 0
    /// The received bytes.
    private(set) var data = Data()
    /// The strong validator of the image that this is the beginning of; empty when there is none.
    private(set) var entityTag = ""
    /// The bytes of the whole image, if they are known.
    private(set) var wholeByteCount: Int?
    /// Whether the image is asked for whole, since a part of it cannot be used.
    var isWantedWhole = false
    /// Whether what had come was found not to be the image's.
    private(set) var wasThrownAway = false

    init(key: String, store: PartialStore) {
        self.key = key
        self.store = store
        restore()
    }

    /// Whether what has come can be resumed.
    var isResumable: Bool { !data.isEmpty && !entityTag.isEmpty }

    /// Lets the last byte be asked for again where nothing is missing: with the answer comes what the image is verified with.
    func leaveLastByte() {
        guard isResumable, wholeByteCount == data.count else { return }
        data.removeLast()
        // The file has a byte too many, and is written again.
        writtenByteCount = 0
    }

    /// Takes note of the bytes of the whole image; false if they are known to be others.
    func expect(wholeByteCount: Int?) -> Bool {
        guard let wholeByteCount, let known = self.wholeByteCount else {
            self.wholeByteCount = self.wholeByteCount ?? wholeByteCount
            return true
        }
        return known == wholeByteCount
    }

    private func restore() {
        if let kept = store.takeFromMemory(key) {
            (data, entityTag, wholeByteCount) = (kept.data, kept.entityTag, kept.wholeByteCount)
        } else if let directory = store.directory, let file = PartialFile(key: key, in: directory, isNew: false) {
            // A file that cannot be read now may be readable later, and must not be overwritten.
            guard let contents = file.contents() else { return }
            guard let (header, data) = contents, header.key == key, !header.entityTag.isEmpty,
                header.imageByteCount.map({ data.count <= $0 }) ?? true
            else { return file.remove() }
            self.file = file
            (self.data, entityTag, wholeByteCount) = (data, header.entityTag, header.imageByteCount)
            writtenByteCount = data.count
        }
    }

    /// Begins an image from scratch; one without a strong validator is not kept when it breaks off.
    func begin(entityTag: String, wholeByteCount: Int?) {
        data = Data()
        writtenByteCount = 0
        self.entityTag = entityTag.hasPrefix("W/") ? "" : entityTag
        self.wholeByteCount = wholeByteCount
        if let wholeByteCount { data.reserveCapacity(min(wholeByteCount, URLSessionTransport.responseByteCountMax)) }
    }

    func append(_ piece: Data) {
        data.append(piece)
        if data.count - writtenByteCount >= Self.spillByteCount, isResumable { spill() }
    }

    /// Keeps what has come, for the next request of the image; false when it is lost.
    func keep() -> Bool {
        guard isResumable else {
            discard()
            return false
        }
        guard store.directory == nil else {
            spill()
            return file != nil && writtenByteCount == data.count
        }
        let kept = PartialStore.Kept(data: data, entityTag: entityTag, wholeByteCount: wholeByteCount)
        return store.keepInMemory(kept, for: key)
    }

    /// Forgets what has come, which is not the image's.
    func throwAway() {
        wasThrownAway = true
        discard()
    }

    /// Forgets what has come.
    func discard() {
        begin(entityTag: "", wholeByteCount: nil)
        file?.remove()
        file = nil
    }

    /// Makes a file of the whole image that a disk cache can take in as it is; `nil` without a directory.
    func finish(freshUntil: Int64, entityTag: String) throws -> URL? {
        guard let directory = store.directory else { return nil }
        if entityTag == self.entityTag, let url = finishFile(freshUntil: freshUntil) { return url }
        file?.remove()
        let image = CachedImage(data: data, entityTag: entityTag, freshUntil: freshUntil)
        return try NewImageFile(image, key: key, in: directory)?.written()
    }

    private func finishFile(freshUntil: Int64) -> URL? {
        guard isResumable, var header = makeHeader() else { return nil }
        spill()
        guard let file, writtenByteCount == data.count else { return nil }
        header.isWhole = true
        header.freshUntil = freshUntil
        header.imageByteCount = data.count
        header.checksum = data.crc32c
        do {
            try file.rewrite(header)
            return file.url
        } catch {
            return nil
        }
    }

    private func makeHeader() -> ImageFileHeader? {
        guard var header = ImageFileHeader(key: key, entityTag: entityTag) else { return nil }
        header.imageByteCount = wholeByteCount
        return header
    }

    /// Writes what is not written yet; what cannot be written is only not kept.
    private func spill() {
        guard let directory = store.directory, let header = makeHeader() else { return }
        guard let file = file ?? PartialFile(key: key, in: directory, isNew: true) else { return }
        self.file = file
        do {
            if writtenByteCount == 0 {
                try file.begin(header, data: data)
            } else {
                try file.append(data.dropFirst(writtenByteCount))
            }
            writtenByteCount = data.count
        } catch {
            file.remove()
            self.file = nil
            writtenByteCount = 0
        }
    }
}
