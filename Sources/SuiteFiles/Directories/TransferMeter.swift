// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// How far an import or export has come.
package struct TransferProgress: Sendable, Hashable {
    /// The ways of data.
    package enum Direction: String, Sendable {
        case importing
        case exporting
    }

    /// The things that are counted.
    package enum Thing: String, Sendable {
        case users
        case documents
        case objects
    }

    /// Where the data go.
    package let direction: Direction
    /// All things so far.
    package fileprivate(set) var counts = ExportCounts()
    /// The kind of the latest ones; `nil` before the first.
    package fileprivate(set) var latest: Thing?
    /// Bytes that have been read of the files of an import.
    package fileprivate(set) var readByteCount: Int64 = 0
    /// The size of these files; 0 where it is not known.
    package fileprivate(set) var totalByteCount: Int64 = 0

    /// How much of the files has been read; `nil` where their size is not known.
    package var percent: Int? {
        guard totalByteCount > 0 else { return nil }
        return Int(100 * Double(min(readByteCount, totalByteCount)) / Double(totalByteCount))
    }

    /// How many of the latest things there have been.
    package var latestCount: Int {
        switch latest {
        case .users: counts.users
        case .documents: counts.documents
        case .objects: counts.objects
        case nil: 0
        }
    }
}

/// Counts what an import or export does, for a timer that shows it now and then.
package final class TransferMeter: Sendable {
    private let state: NIOLockedValueBox<TransferProgress>

    /// Begins at nothing.
    package init(_ direction: TransferProgress.Direction) {
        state = NIOLockedValueBox(TransferProgress(direction: direction))
    }

    /// How far the work has come.
    package var progress: TransferProgress { state.withLockedValue { $0 } }

    /// Counts what the work reports; what it wants from these reports besides is done, too.
    package func count(_ work: inout TransferWork) {
        work.onProgress = { [state, also = work.onProgress] counts in
            state.withLockedValue { $0.reach(counts) }
            try also(counts)
        }
        work.onSize = { [state] size in state.withLockedValue { $0.totalByteCount = size } }
        work.onRead = { [state] size in
            state.withLockedValue { $0.readByteCount = $0.readByteCount.joined(with: Int64(size)) }
        }
    }
}

extension TransferProgress {
    fileprivate mutating func reach(_ counts: ExportCounts) {
        if counts.users != self.counts.users {
            latest = .users
        } else if counts.documents != self.counts.documents {
            latest = .documents
        } else if counts.objects != self.counts.objects {
            latest = .objects
        }
        self.counts = counts
    }
}
