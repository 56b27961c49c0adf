// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The rules for the ids of a stream's targets.
///
/// As production, recorded 2026-10: picked ids start at 1; a negative id, or one of the client's own after picked
/// ones, ends the stream; the id of a live target is refused.
struct TargetIDs: Equatable {
    private var lastPicked: Int32 = 0
    private(set) var live: Set<Int32> = []

    /// Takes an id for a new target; `nil` when a live target has it.
    ///
    /// - Throws: `DocumentStoreError` (invalid argument), which ends the stream.
    mutating func take(_ requested: Int32) throws -> Int32? {
        guard requested >= 0 else { throw DocumentStoreError.targetIDNegative(requested) }
        guard requested > 0 else { return pick() }
        guard lastPicked == 0 else { throw DocumentStoreError.targetIDAfterAssigned(requested) }
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
