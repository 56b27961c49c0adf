// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Finds the fields that an update changed, for the `updateMask` of its event.
enum ChangedPaths {
    /// The paths of fields that were added, removed or changed, in their order; into maps that were maps before.
    static func between(_ before: [String: Value], _ after: [String: Value]) -> [FieldPath] {
        var paths: [FieldPath] = []
        compare(before, after, under: [], &paths)
        return paths.sorted()
    }

    private static func compare(
        _ before: [String: Value],
        _ after: [String: Value],
        under parents: [String],
        _ paths: inout [FieldPath]
    ) {
        for (name, value) in after {
            let former = before[name]
            guard former != value else { continue }
            let path = parents + [name]
            if case .map(let formerFields)? = former, case .map(let fields) = value, !formerFields.isEmpty,
                !fields.isEmpty
            {
                compare(formerFields, fields, under: path, &paths)
            } else {
                paths.append(FieldPath(validated: path))
            }
        }
        for name in before.keys where after[name] == nil {
            paths.append(FieldPath(validated: parents + [name]))
        }
    }
}

extension ChangedDocument {
    /// The paths of an update's changed fields; `nil` for other changes.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    var changedPaths: [String]? {
        get throws {
            guard let before, let after else { return nil }
            return ChangedPaths.between(try before.fields, try after.fields).map(\.description)
        }
    }
}
