// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Slots in a row, newest first: a doubly linked list in two arrays, every step of which takes constant time.
struct SlotList: Sendable {
    private static let none: Int32 = -1

    private var newerSlots: [Int32] = []
    private var olderSlots: [Int32] = []
    private var newestSlot = none
    private var oldestSlot = none

    /// The slot that was put in first.
    var oldest: Int? { Self.slot(oldestSlot) }

    /// The slot that was put in next after this one.
    func newer(than slot: Int) -> Int? { Self.slot(newerSlots[slot]) }

    mutating func insertNewest(_ slot: Int) {
        while newerSlots.count <= slot {
            newerSlots.append(Self.none)
            olderSlots.append(Self.none)
        }
        let link = Int32(slot)
        newerSlots[slot] = Self.none
        olderSlots[slot] = newestSlot
        if newestSlot == Self.none { oldestSlot = link } else { newerSlots[Int(newestSlot)] = link }
        newestSlot = link
    }

    mutating func remove(_ slot: Int) {
        let (newer, older) = (newerSlots[slot], olderSlots[slot])
        if newer == Self.none { newestSlot = older } else { olderSlots[Int(newer)] = older }
        if older == Self.none { oldestSlot = newer } else { newerSlots[Int(older)] = newer }
    }

    mutating func moveToNewest(_ slot: Int) {
        guard Int32(slot) != newestSlot else { return }
        remove(slot)
        insertNewest(slot)
    }

    private static func slot(_ link: Int32) -> Int? { link == none ? nil : Int(link) }
}
