// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FieldPath {
    /// Refuses what no request may name: `__x__`, but for `__name__` alone, and paths deeper than any document.
    ///
    /// - Throws: `DocumentStoreError` (invalid argument) in the words of production (recorded 2026-09) and the official
    ///   emulator (1.19.9).
    package func validate() throws {
        guard !isDocumentID else { return }
        try refuseReservedName()
        guard segments.count <= DocumentLimits.depthMax else { throw DocumentStoreError.fieldPathTooDeep }
    }

    /// Refuses `__x__` anywhere but in `__name__` alone, which stands for the document's name.
    package func refuseReservedName() throws {
        guard !isDocumentID else { return }
        let name = Self.documentID.segments[0]
        if let index = segments.firstIndex(where: { ResourceID.isReserved($0) && $0 != name }) {
            throw DocumentStoreError.reservedFieldPath(FieldPath(validated: Array(segments[index...])))
        }
        guard !segments.contains(name) else { throw DocumentStoreError.nameIsReserved }
    }

    /// The names and the dots between them, without any quoting.
    var unquoted: String { segments.joined(separator: ".") }
}
