// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A property of an entity, looked at in place; arrays are several of one name.
struct EntityProperty {
    private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var meaning = EntityMeaning.none
    private(set) var isMultiple = false
    /// The content of its `PropertyValue`; empty for null.
    private(set) var value = UnsafeRawBufferPointer(start: nil, count: 0)
    let isIndexed: Bool

    init(_ bytes: UnsafeRawBufferPointer, isIndexed: Bool) throws(EntityFault) {
        self.isIndexed = isIndexed
        var reader = MessageReader(bytes)
        while let tag = try reader.nextTag() {
            switch tag {
            case EntityTag.meaning: meaning = try reader.nextInteger()
            case EntityTag.name: name = try reader.nextContent()
            case EntityTag.isMultiple: isMultiple = try reader.nextVarint() != 0
            case EntityTag.value: value = try reader.nextContent()
            default: try reader.skip(tag)
            }
        }
    }

    var isEmptyArray: Bool { !isMultiple && value.isEmpty && meaning == EntityMeaning.emptyList }

    func isNamedLike(_ other: EntityProperty) -> Bool { name.elementsEqual(other.name) }
}

extension [EntityProperty] {
    /// The properties in the order of their names; those of one name stay in theirs.
    var sortedByName: [EntityProperty] {
        let isSorted = zip(self, dropFirst()).allSatisfy { !$1.name.lexicographicallyPrecedes($0.name) }
        guard !isSorted else { return self }
        return enumerated().sorted { left, right in
            if left.element.isNamedLike(right.element) { return left.offset < right.offset }
            return left.element.name.lexicographicallyPrecedes(right.element.name)
        }
        .map(\.element)
    }
}
