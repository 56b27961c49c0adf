// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStoreCrashScript

/// The contents of an object or an upload: runs, one after the other.
struct CrashContents: Hashable {
    var runs: [CrashRun] = []

    var byteCount: Int { runs.reduce(0) { $0 + $1.count } }
}

/// The expected contents of a store by its operations, without any of the store's own workings.
struct CrashState {
    enum Standing: Hashable {
        case live
        case noncurrent
        case softlyDeleted(until: Int64)

        var isSoftlyDeleted: Bool { self != .live && self != .noncurrent }
    }

    struct Version {
        var contents: CrashContents
        var standing: Standing
    }

    /// The versions of every object, the oldest first.
    private(set) var versions: [CrashPlace: [Version]] = [:]
    /// The uploads that can be resumed.
    private(set) var uploads: [String: CrashContents] = [:]
    /// The multipart uploads that have not ended, and their parts.
    var partedUploads: [CrashPartedUpload: [Int: CrashRun]] = [:]
    private var time: Int64 = 0

    mutating func expire(at time: Int64) {
        self.time = time
        for place in versions.keys {
            versions[place]?.removeAll {
                if case .softlyDeleted(let end) = $0.standing { end <= time } else { false }
            }
        }
    }

    mutating func apply(_ operation: CrashOperation, newUpload: String?) {
        switch operation {
        case .put(let place, let run): put(CrashContents(runs: [run]), at: place)
        case .delete(let place): retire(place)
        case .remove(let place, let index): remove(place, index)
        case .copy(let source, let target): copy(source, to: target)
        case .move(let source, let target):
            copy(source, to: target)
            if source != target { retire(source) }
        case .compose(let place, let names): compose(names, into: place)
        case .restore(let place, let index): restore(place, index)
        case .begin:
            if let newUpload { uploads[newUpload] = CrashContents() }
        case .append(let upload, let run): uploads[upload]?.runs.append(run)
        case .commit(let upload, let place):
            if let contents = uploads.removeValue(forKey: upload) { put(contents, at: place) }
        case .cancel(let upload): uploads[upload] = nil
        case .parts(let operation): apply(operation, newUpload: newUpload)
        }
    }

    private func live(_ place: CrashPlace) -> CrashContents? {
        versions[place]?.first { $0.standing == .live }?.contents
    }

    mutating func put(_ contents: CrashContents, at place: CrashPlace) {
        retire(place)
        versions[place, default: []].append(Version(contents: contents, standing: .live))
    }

    private mutating func retire(_ place: CrashPlace) {
        guard let index = versions[place]?.firstIndex(where: { $0.standing == .live }) else { return }
        switch place.bucket {
        case .plain: versions[place]?.remove(at: index)
        case .versioned: versions[place]?[index].standing = .noncurrent
        case .soft: deleteSoftly(place, index)
        }
    }

    private mutating func deleteSoftly(_ place: CrashPlace, _ index: Int) {
        let end = time + CrashBucket.softDeleteSeconds * 1_000_000
        versions[place]?[index].standing = .softlyDeleted(until: end)
    }

    private mutating func remove(_ place: CrashPlace, _ number: Int) {
        guard let index = index(of: number, at: place, isSoftlyDeleted: false) else { return }
        if place.bucket == .soft {
            deleteSoftly(place, index)
        } else {
            versions[place]?.remove(at: index)
        }
    }

    private func index(of number: Int, at place: CrashPlace, isSoftlyDeleted: Bool) -> Int? {
        let versions = versions[place] ?? []
        let indices = versions.indices.filter { versions[$0].standing.isSoftlyDeleted == isSoftlyDeleted }
        return indices.indices.contains(number) ? indices[number] : nil
    }

    private mutating func copy(_ source: CrashPlace, to target: CrashPlace) {
        if let contents = live(source) { put(contents, at: target) }
    }

    private mutating func compose(_ names: [String], into place: CrashPlace) {
        let parts = names.map { live(CrashPlace(place.bucket, $0))?.runs ?? [] }
        put(CrashContents(runs: parts.flatMap { $0 }), at: place)
    }

    private mutating func restore(_ place: CrashPlace, _ number: Int) {
        guard let index = index(of: number, at: place, isSoftlyDeleted: true) else { return }
        guard let restored = versions[place]?.remove(at: index) else { return }
        put(restored.contents, at: place)
    }
}
