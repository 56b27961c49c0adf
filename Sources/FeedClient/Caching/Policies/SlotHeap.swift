// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Slots by rank, the lowest at hand; of equal ranks the one that was put in first.
package struct SlotHeap: Sendable {
    private struct Node: Sendable {
        let slot: Int32
        let rank: Double
        let number: UInt64

        func isBelow(_ other: Node) -> Bool {
            rank < other.rank || (rank == other.rank && number < other.number)
        }
    }

    private static let none: Int32 = -1

    private var nodes: [Node] = []
    private var positions: [Int32] = []
    private var lastNumber: UInt64 = 0

    /// The slot of the lowest rank.
    package var lowest: (slot: Int, rank: Double)? { nodes.first.map { (Int($0.slot), $0.rank) } }

    /// Creates an empty heap.
    package init() {}

    /// Puts in a slot that is not there.
    package mutating func insert(_ slot: Int, rank: Double) {
        while positions.count <= slot { positions.append(Self.none) }
        lastNumber += 1
        nodes.append(Node(slot: Int32(slot), rank: rank, number: lastNumber))
        moveUp(nodes[nodes.count - 1], from: nodes.count - 1)
    }

    /// Takes out a slot, if it is there.
    package mutating func remove(_ slot: Int) {
        let position = Int(positions[slot])
        guard position >= 0 else { return }
        positions[slot] = Self.none
        let last = nodes.removeLast()
        guard position < nodes.count else { return }
        if position > 0, last.isBelow(nodes[(position - 1) / 2]) {
            moveUp(last, from: position)
        } else {
            moveDown(last, from: position)
        }
    }

    private mutating func moveUp(_ node: Node, from start: Int) {
        var position = start
        while position > 0, node.isBelow(nodes[(position - 1) / 2]) {
            put(nodes[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        put(node, at: position)
    }

    private mutating func moveDown(_ node: Node, from start: Int) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < nodes.count else { break }
            if child + 1 < nodes.count, nodes[child + 1].isBelow(nodes[child]) { child += 1 }
            guard nodes[child].isBelow(node) else { break }
            put(nodes[child], at: position)
            position = child
        }
        put(node, at: position)
    }

    private mutating func put(_ node: Node, at position: Int) {
        nodes[position] = node
        positions[Int(node.slot)] = Int32(position)
    }
}
