// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// Counts the bytes of documents that live results hold, all together, up to a limit.
final class ChangeMemory: Sendable {
    private let byteCountMax: Int
    private let held = NIOLockedValueBox(0)

    init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
    }

    var heldByteCount: Int { held.withLockedValue(\.self) }

    /// Takes bytes; `nil` when they do not fit.
    func hold(_ byteCount: Int) -> HeldChanges? {
        let fits = held.withLockedValue { held in
            guard byteCount <= byteCountMax - held else { return false }
            held += byteCount
            return true
        }
        return fits ? HeldChanges(byteCount, of: self) : nil
    }

    fileprivate func giveBack(_ byteCount: Int) {
        held.withLockedValue { $0 -= byteCount }
    }
}

/// The memory of everything that listening holds for live results.
struct ListenMemory: Sendable {
    /// Of commits that wait to be evaluated.
    let waiting: ChangeMemory
    /// Of what they meant, for subscribers that have not taken it.
    let log: ChangeMemory
    /// Of the results of limited queries.
    let windows: ChangeMemory

    init(_ limits: ListenLimits) {
        waiting = ChangeMemory(byteCountMax: limits.allWaitingByteCountMax)
        log = ChangeMemory(byteCountMax: limits.allWaitingByteCountMax)
        windows = ChangeMemory(byteCountMax: limits.allWindowsByteCountMax)
    }
}

/// Bytes that are held until the last one lets them go: live results that wait for the same commit share its documents.
final class HeldChanges: Sendable {
    private let byteCount: Int
    private let memory: ChangeMemory

    fileprivate init(_ byteCount: Int, of memory: ChangeMemory) {
        self.byteCount = byteCount
        self.memory = memory
    }

    deinit { memory.giveBack(byteCount) }
}

extension DocumentChange {
    var heldByteCount: Int { (before?.heldByteCount ?? 0) + (after?.heldByteCount ?? 0) }
}

extension CommittedChanges {
    var heldByteCount: Int {
        switch content {
        case .documents(let changes): changes.reduce(0) { $0 + $1.heldByteCount }
        case .everythingDeleted, .imported: 0
        }
    }
}
