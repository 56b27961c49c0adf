// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How much listening may hold in memory.
package struct ListenLimits: Sendable {
    /// Targets of one stream; further ones are refused.
    package static let targetMax = 1_000
    /// Requests a client may have waiting on one stream; one more ends it.
    package static let waitingRequestMax = 10_000
    /// Documents a limited live result keeps beyond its limit, so that the next ones are at hand when some leave.
    static let windowReserveMax = 100
    /// Names in a bloom filter; a larger target's existence filter has only the count.
    static let bloomNameMax = 100_000
    /// Whether changes, and the bytes of their documents, are few enough to be evaluated and sent where nothing may block.
    static func areFew(changeCount: Int, byteCount: Int) -> Bool { changeCount <= 64 && byteCount <= 64 << 10 }

    /// Changed documents that wait in one live result to be evaluated, and again that wait to be pulled.
    ///
    /// Beyond it they are dropped, and streams that miss them catch up from former versions.
    package var waitingChangeMax = 1_000
    /// Bytes of documents that wait in one live result to be evaluated, and again that wait to be pulled.
    package var waitingByteCountMax = 4 << 20
    /// Bytes of documents that wait in all live results to be evaluated, and again that wait to be pulled.
    package var allWaitingByteCountMax = 32 << 20
    /// Bytes of documents that one limited query, and all of them together, keep to know who comes next.
    ///
    /// A query without them is read again after each commit.
    package var windowByteCountMax = 8 << 20
    package var allWindowsByteCountMax = 64 << 20
    /// Documents of the first part of an initial result; each further part has twice as many.
    package var firstPartDocumentMax = 1_024
    package var partDocumentMax = 8_192
    /// Bytes of documents after which a part ends: of an initial result, or of what a slow stream missed.
    package var partByteCountMax = 4 << 20

    package init() {}
}

/// The rules for the ids of a stream's targets.
///
/// As production, recorded 2026-10: picked ids start at 1; a negative id, or one of the client's own after picked
/// ones, ends the stream; the id of a live target is refused.
struct TargetIDs: Equatable {
    private var lastPicked: Int32 = 0
    private(set) var live: Set<Int32> = []

    /// Takes an id for a new target; `nil` when a live target has it.
    ///
    /// - Throws: `FirestoreError` (invalid argument), which ends the stream.
    mutating func take(_ requested: Int32) throws -> Int32? {
        guard requested >= 0 else { throw FirestoreError.targetIDNegative(requested) }
        guard requested > 0 else { return pick() }
        guard lastPicked == 0 else { throw FirestoreError.targetIDAfterAssigned(requested) }
        return live.insert(requested).inserted ? requested : nil
    }

    /// Gives an id back; false when no live target has it.
    mutating func release(_ id: Int32) -> Bool {
        live.remove(id) != nil
    }

    private mutating func pick() -> Int32 {
        repeat {
            lastPicked += 1
        } while live.contains(lastPicked)
        live.insert(lastPicked)
        return lastPicked
    }
}
