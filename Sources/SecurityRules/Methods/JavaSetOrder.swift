// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension [String] {
    /// The texts in the order of a Java `HashSet`, in which some of the official emulator's refusals name them.
    var inJavaSetOrder: [String] { placesInJavaSetOrder.map { self[$0] } }

    /// The places of the texts in that order; those that share a slot stay as they are.
    var placesInJavaSetOrder: [Int] {
        var slotCount = 16
        while count * 4 > slotCount * 3 { slotCount *= 2 }
        return enumerated()
            .map { (slot: $0.element.javaSlot(of: slotCount), place: $0.offset) }
            .sorted { ($0.slot, $0.place) < ($1.slot, $1.place) }
            .map(\.place)
    }
}

extension String {
    /// Java's hash of the text.
    var javaHash: Int32 { Int32(bitPattern: utf16.reduce(UInt32(0)) { 31 &* $0 &+ UInt32($1) }) }

    /// The slot of a table, by Java's hash of the text.
    fileprivate func javaSlot(of slotCount: Int) -> Int {
        let hash = UInt32(bitPattern: javaHash)
        return Int(hash ^ (hash >> 16)) & (slotCount - 1)
    }
}
