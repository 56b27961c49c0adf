// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The indexes an app has defined.
package struct IndexConfiguration: Sendable {
    package let indexes: Set<IndexDefinition>
    package let overrides: [FieldOverride]

    /// Nothing defined: the automatic single-field indexes only.
    package static let automatic = IndexConfiguration(indexes: [], overrides: [])

    /// Whether a field can be looked up by itself.
    func hasSingleFieldIndex(_ path: FieldPath, _ index: FieldOverride.Index, in group: String) -> Bool {
        singleFieldIndexes(of: path, in: group).contains(index)
    }

    /// The override of the field, else that of the nearest map it is in, else that of all fields.
    private func singleFieldIndexes(of path: FieldPath, in group: String) -> Set<FieldOverride.Index> {
        let ofGroup = overrides.filter { $0.collectionGroup == group }
        for count in stride(from: path.segments.count, through: 1, by: -1) {
            let ancestor = FieldPath(validated: Array(path.segments.prefix(count)))
            if let override = ofGroup.first(where: { $0.path == ancestor }) { return override.indexes }
        }
        return ofGroup.first { $0.path == nil }?.indexes ?? FieldOverride.automatic
    }
}
