// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStoreCrashScript
import Testing

@testable import ObjectStore

/// The objects that must be stored after the acknowledged operations, and the one operation that is undecided.
struct CrashModel {
    private var acknowledged = CrashState()
    private var inFlight: CrashOperation?
    private var completed: [String: CrashPlace] = [:]
    private var cancelled: [String] = []
    private var endedPartedUploads: [CrashPartedUpload] = []

    /// The multipart uploads that have not ended.
    var partedUploads: [CrashPartedUpload] { acknowledged.partedUploads.keys.sorted { $0.id < $1.id } }

    /// Begins a round, whose clock stands still: what can be restored no longer is gone.
    mutating func beginRound(at time: Int64) {
        acknowledged.expire(at: time)
        completed = [:]
        cancelled = []
        endedPartedUploads = []
    }

    /// Takes a line that the writer printed.
    mutating func note(_ line: Substring) throws {
        switch try #require(CrashLine(line)) {
        case .begun(let operation): inFlight = operation
        case .begunImport: Issue.record("this writer imports nothing")
        case .acknowledged(let upload):
            let operation = try #require(inFlight)
            acknowledged.apply(operation, newUpload: upload)
            noteEnd(by: operation)
            inFlight = nil
        }
    }

    private mutating func noteEnd(by operation: CrashOperation) {
        switch operation {
        case .commit(let upload, let place): completed[upload] = place
        case .cancel(let upload): cancelled.append(upload)
        case .parts(.complete(let upload, of: _)), .parts(.abort(let upload)): endedPartedUploads.append(upload)
        default: break
        }
    }

    /// Checks versions and uploads, bytes included, and continues from the state they show.
    mutating func reconcile(with store: SQLiteObjectStore) throws {
        let found = try CrashSnapshot(store)
        let states = try possibleStates(found)
        let match = try states.first { try $0.snapshot() == found }
        if match == nil {
            let expected = try states.map { try $0.snapshot() }
            Issue.record("in flight: \(String(describing: inFlight))\nfound \(found)\nexpected one of \(expected)")
        }
        try expectEnds(in: store)
        acknowledged = try #require(match)
        inFlight = nil
    }

    /// All that may be there after the operation in flight: its bytes may have arrived in part, but not its effects.
    private func possibleStates(_ found: CrashSnapshot) throws -> [CrashState] {
        guard let inFlight else { return [acknowledged] }
        var after = acknowledged
        switch inFlight {
        case .begin:
            let unknown = found.uploads.keys.first { acknowledged.uploads[$0] == nil }
            after.apply(inFlight, newUpload: unknown)
        case .parts(.begin):
            let unknown = found.partedUploads.keys.first { acknowledged.partedUploads[$0] == nil }
            after.apply(inFlight, newUpload: unknown?.id)
        case .append(let upload, var run):
            let byteCount = found.uploads[upload]?.byteCount ?? 0
            let arrived = Int(byteCount) - (acknowledged.uploads[upload]?.byteCount ?? 0)
            run.count = min(max(0, arrived), run.count)
            after.apply(.append(upload: upload, run), newUpload: nil)
        default: after.apply(inFlight, newUpload: nil)
        }
        return [acknowledged, after]
    }

    /// Uploads that have ended say so after a restart too.
    private func expectEnds(in store: SQLiteObjectStore) throws {
        for (id, place) in completed {
            let name = try #require(UploadID(id))
            let progress = try store.resumableUpload(name)?.progress()
            guard case .completed(let path, _, _)? = progress else {
                Issue.record("the upload \(id) was completed, but is \(String(describing: progress))")
                continue
            }
            #expect(path == place.path)
        }
        for id in cancelled {
            let name = try #require(UploadID(id))
            #expect(try store.resumableUpload(name)?.progress() == .cancelled)
        }
        for upload in endedPartedUploads {
            let path = try #require(upload.place.path)
            #expect(throws: PartStoringError.noSuchUpload) { try store.parts(of: upload.id, at: path) }
        }
    }
}
