// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import FirestoreModel
import Glibc
#endif

/// Collects entries and puts them in the order of their keys.
///
/// All keys lie in one array and are moved by their place only: sorting arrays of arrays takes several times as long.
struct EntrySorter {
    private struct Slot {
        /// The key's first eight bytes, which mostly decide.
        let head: UInt64
        let start: Int
        let count: Int
        let row: Int64
    }

    private var bytes: [UInt8] = []
    private var slots: [Slot] = []

    var count: Int { slots.count }

    mutating func add(_ key: OrderedKey, row: Int64) {
        let head = key.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let missing = UInt64(8 - min(key.bytes.count, 8))
        slots.append(Slot(head: head << (8 * missing), start: bytes.count, count: key.bytes.count, row: row))
        bytes += key.bytes
    }

    /// Hands out all entries in order, and forgets them.
    mutating func drain(_ body: (UnsafeRawBufferPointer, Int64) throws -> Void) rethrows {
        sort()
        try bytes.withUnsafeBytes { bytes in
            for slot in slots {
                try body(UnsafeRawBufferPointer(rebasing: bytes[slot.start..<slot.start + slot.count]), slot.row)
            }
        }
        bytes.removeAll()
        slots.removeAll()
    }

    /// Puts the entries in the order of their keys.
    mutating func sort() {
        bytes.withUnsafeBytes { bytes in
            slots.sort { left, right in
                left.head == right.head ? Self.precedes(left, right, bytes) : left.head < right.head
            }
        }
    }

    /// Forgets the entries behind the first ones.
    mutating func keepFirst(_ countMax: Int) {
        guard slots.count > countMax else { return }
        var kept = EntrySorter()
        for index in 0..<countMax {
            kept.add(key(at: index), row: row(at: index))
        }
        self = kept
    }

    func key(at index: Int) -> OrderedKey {
        let slot = slots[index]
        return OrderedKey(Array(bytes[slot.start..<slot.start + slot.count]))
    }

    func row(at index: Int) -> Int64 { slots[index].row }

    private static func precedes(_ left: Slot, _ right: Slot, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        let result = memcmp(start + left.start, start + right.start, min(left.count, right.count))
        return result == 0 ? left.count < right.count : result < 0
    }
}
