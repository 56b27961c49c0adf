// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Slots by rank, the lowest at hand; of equal ranks the one that was put in first.
struct SlotHeap: Sendable {
    private struct Node: Sendable {
        let slot: Int
        let rank: Double
        let number: UInt64

        func isBelow(_ other: Node) -> Bool { (rank, number) < (other.rank, other.number) }
    }

    private var nodes: [Node] = []
    private var positions: [Int?] = []
    private var lastNumber: UInt64 = 0

    var lowest: (slot: Int, rank: Double)? { nodes.first.map { ($0.slot, $0.rank) } }

    mutating func insert(_ slot: Int, rank: Double) {
        while positions.count <= slot { positions.append(nil) }
        lastNumber += 1
        nodes.append(Node(slot: slot, rank: rank, number: lastNumber))
        positions[slot] = nodes.count - 1
        moveUp(from: nodes.count - 1)
    }

    mutating func remove(_ slot: Int) {
        guard let position = positions[slot] else { return }
        swap(position, nodes.count - 1)
        nodes.removeLast()
        positions[slot] = nil
        guard position < nodes.count else { return }
        moveUp(from: position)
        moveDown(from: position)
    }

    private mutating func moveUp(from start: Int) {
        var position = start
        while position > 0, nodes[position].isBelow(nodes[(position - 1) / 2]) {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    private mutating func moveDown(from start: Int) {
        var position = start
        while true {
            let children = [2 * position + 1, 2 * position + 2].filter { $0 < nodes.count }
            guard let lowest = children.min(by: { nodes[$0].isBelow(nodes[$1]) }),
                nodes[lowest].isBelow(nodes[position])
            else { return }
            swap(position, lowest)
            position = lowest
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        nodes.swapAt(left, right)
        positions[nodes[left].slot] = left
        positions[nodes[right].slot] = right
    }
}
