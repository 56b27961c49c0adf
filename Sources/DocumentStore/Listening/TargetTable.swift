// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The targets of a stream, which mostly has one.
struct TargetTable<Target: Identifiable & Sendable>: Sendable where Target.ID: Comparable {
    /// Ordered by their ids.
    private(set) var ordered: [Target] = []

    var count: Int { ordered.count }
    var isEmpty: Bool { ordered.isEmpty }

    subscript(id: Target.ID) -> Target? { place(of: id).map { ordered[$0] } }

    /// Adds a target, or replaces the one of its id.
    mutating func put(_ target: Target) {
        let place = firstPlace(notBelow: target.id)
        if place < ordered.endIndex, ordered[place].id == target.id {
            ordered[place] = target
        } else {
            ordered.insert(target, at: place)
        }
    }

    mutating func remove(_ id: Target.ID) -> Target? { place(of: id).map { ordered.remove(at: $0) } }

    /// Changes the target of an id, if there is one.
    mutating func update(_ id: Target.ID, _ change: (inout Target) -> Void) {
        if let place = place(of: id) { change(&ordered[place]) }
    }

    /// Changes all targets in place.
    mutating func updateEach(_ change: (inout Target) -> Void) {
        for place in ordered.indices { change(&ordered[place]) }
    }

    private func place(of id: Target.ID) -> Int? {
        let place = firstPlace(notBelow: id)
        return place < ordered.endIndex && ordered[place].id == id ? place : nil
    }

    private func firstPlace(notBelow id: Target.ID) -> Int {
        var places = ordered.indices
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            if ordered[middle].id < id {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        return places.lowerBound
    }
}
