// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension [String] {
    /// The texts in the order of a Java `HashSet`, in which some of the official emulator's refusals name them.
    var inJavaSetOrder: [String] {
        var slotCount = 16
        while count * 4 > slotCount * 3 { slotCount *= 2 }
        return enumerated()
            .map { (slot: $0.element.javaSlot(of: slotCount), place: $0.offset, text: $0.element) }
            .sorted { ($0.slot, $0.place) < ($1.slot, $1.place) }
            .map(\.text)
    }
}

extension String {
    /// The slot of a table, by Java's hash of the text.
    fileprivate func javaSlot(of slotCount: Int) -> Int {
        let hash = utf16.reduce(UInt32(0)) { 31 &* $0 &+ UInt32($1) }
        return Int(hash ^ (hash >> 16)) & (slotCount - 1)
    }
}
