// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// A download of an object, as a log has it.
struct LoggedDownload: Sendable, Hashable {
    /// What became of it.
    enum Outcome: UInt8, Sendable {
        /// All bytes were sent.
        case whole
        /// The part that was asked for was sent (206).
        case part
        /// The client has the object already (304).
        case notModified
        /// The client ended it.
        case aborted
        /// The server ended it.
        case failed
        /// Further bytes of a download that an earlier line counts.
        case continued
        /// The client's cache answered (HAR), and nothing was sent.
        case cached
    }

    /// The number of the object.
    let object: Int
    let outcome: Outcome
    /// The bytes of the body that were sent.
    let byteCount: Int64
    /// The generation, less the object's first of the log; 0 where the log has none.
    let generation: Int64
    /// The number of the tag, from 1; 0 where it has none.
    let tag: Int32

    init(_ object: Int, _ outcome: Outcome = .whole, byteCount: Int64 = 0, generation: Int64 = 0, tag: Int32 = 0) {
        (self.object, self.outcome, self.byteCount, self.generation) = (object, outcome, byteCount, generation)
        self.tag = tag
    }
}

extension LoggedDownload.Outcome {
    /// The outcome of a download that an emulator metered.
    init(_ record: UsageRecord) {
        self =
            switch (record.outcome, CacheOutcome(downloadStatus: record.status)) {
            case _ where record.requestCount == 0: .continued
            case (_, .notModified): .notModified
            case (.complete, .partial): .part
            case (.complete, _): .whole
            case (.aborted, _), (.malformed, _):
                record.abortCause == .serverClosed || record.abortCause == .serverCancelled ? .failed : .aborted
            }
    }

    /// The outcome of a download of a third-party log, which does not say whether it was ended early.
    init(_ request: borrowing LoggedRequest) {
        self =
            switch CacheOutcome(downloadStatus: request.status) {
            case _ where request.isFromCache: .cached
            case .notModified: .notModified
            case .partial: .part
            case .full, nil: .whole
            }
    }
}
