// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ResultWindow {
    /// The changes from the result as of one time to a later one.
    ///
    /// `documentNow` is asked for documents that left: how they are now, `nil` when deleted.
    static func changes(
        from old: ArraySlice<Entry>,
        to new: ArraySlice<Entry>,
        since time: Timestamp,
        mask: DocumentMask?,
        documentNow: (Entry) throws -> Document?
    ) throws -> [ViewChange] {
        var left: [DocumentPath: Entry] = [:]
        for entry in old {
            left[entry.document.path] = entry
        }
        var changes: [ViewChange] = []
        for entry in new {
            let path = entry.document.path
            let former = left.removeValue(forKey: path)
            guard former?.document.updateTime != entry.document.updateTime else { continue }
            changes.append(
                ViewChange(
                    path: path,
                    document: try entry.document.selecting(mask),
                    wasIn: former != nil,
                    isIn: true,
                    hasChanged: entry.document.updateTime > time
                )
            )
        }
        // In order, so that the same history always gives the same messages.
        for entry in old where left[entry.document.path] != nil {
            let document = try documentNow(entry)
            changes.append(
                ViewChange(
                    path: entry.document.path,
                    document: try document?.selecting(mask),
                    wasIn: true,
                    isIn: false,
                    hasChanged: document?.updateTime != entry.document.updateTime
                )
            )
        }
        return changes
    }
}
