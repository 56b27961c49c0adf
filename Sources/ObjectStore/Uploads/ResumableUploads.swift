// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import NIOConcurrencyHelpers

/// The resumable uploads that requests are at work on: all requests of an upload share one state.
final class ResumableUploads: Sendable {
    /// Uploads that stay open between their requests; those in use are open in any case.
    static let restingCountMax = 256

    private struct Reference: Sendable {
        weak var upload: ResumableUpload.Shared?
    }

    private struct State: Sendable {
        var known: [UploadID: Reference] = [:]
        /// The most recently used, the latest last.
        var recent: [ResumableUpload.Shared] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Returns the state in use, or makes one.
    func shared(
        _ id: UploadID,
        orMake make: () throws -> ResumableUpload.Shared?
    ) throws -> ResumableUpload.Shared? {
        // Evicted outside the lock: the last reference may close a file.
        var evicted: ResumableUpload.Shared?
        defer { withExtendedLifetime(evicted) {} }
        return try state.withLockedValue { state in
            guard let upload = try state.known[id]?.upload ?? make() else { return nil }
            state.known[id] = Reference(upload: upload)
            state.recent.removeAll { $0 === upload }
            state.recent.append(upload)
            if state.recent.count > Self.restingCountMax {
                evicted = state.recent.removeFirst()
                state.known = state.known.filter { $0.value.upload != nil }
            }
            return upload
        }
    }

    /// Forgets all uploads; requests at work on one keep it.
    func forgetAll() {
        // Let go outside the lock: the last reference may close a file.
        let forgotten = state.withLockedValue { state in
            defer { state = State() }
            return state.recent
        }
        withExtendedLifetime(forgotten) {}
    }
}

extension SQLiteObjectStore {
    /// For how long an upload can be resumed: a week.
    ///
    /// Source: https://cloud.google.com/storage/docs/resumable-uploads#session-uris (2026-11).
    static let resumableMicroseconds: Int64 = 7 * 24 * 3_600 * 1_000_000

    /// Begins a resumable upload, for which the store keeps a text of the server's; durable on return.
    package func beginResumableUpload(request: String) throws -> ResumableUpload {
        let bytes = try StagedBytes(in: directory, byteCountMax: configuration.objectByteCountMax)
        let id = UploadID(bytes.id)
        do {
            try directory.synchronizeUploads()
            try writing { try UploadTable(database: $0).insert(id, request: request, now: clock()) }
        } catch {
            bytes.discard()
            throw error
        }
        let shared = ResumableUpload.Shared(bytes, request: request)
        return ResumableUpload(id, shared: try resumables.shared(id) { shared } ?? shared, in: self)
    }

    /// Returns a resumable upload that was begun in the last week, before this start of the store too; `nil` without one.
    package func resumableUpload(_ id: UploadID) throws -> ResumableUpload? {
        let shared = try resumables.shared(id) {
            try reading { try UploadTable(database: $0).row(id) }.map { try ResumableUpload.Shared($0, in: self) }
        }
        return shared.map { ResumableUpload(id, shared: $0, in: self) }
    }
}
