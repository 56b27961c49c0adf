// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The way to a field through maps: `address.city`.
package struct FieldPath: Sendable {
    /// The document's name, usable in queries like a field.
    package static let documentID = FieldPath(validated: ["__name__"])

    /// Field names from the outermost map inwards; at least one.
    package let segments: [String]

    /// - Throws: `FirestoreError` (invalid argument) for no segment, an empty one, or one over 1,500 bytes.
    package init(_ segments: [String]) throws {
        guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty }) else { throw FirestoreError.emptyFieldPath }
        guard segments.allSatisfy({ $0.utf8.count <= Self.segmentByteCountMax }) else {
            throw FirestoreError.fieldNameTooLong
        }
        self.segments = segments
    }

    package init(validated segments: [String]) {
        self.segments = segments
    }

    /// The longest field name.
    ///
    /// Source: cloud.google.com/firestore/quotas (2026-11).
    static let segmentByteCountMax = 1_500

    /// The longest path, its names and the dots between them.
    ///
    /// Source: production (recorded 2026-09).
    package static let byteCountMax = 1_500

    /// The length of the names and the dots between them.
    package var byteCount: Int { segments.reduce(segments.count - 1) { $0 + $1.utf8.count } }

    /// Whether this is `__name__`.
    package var isDocumentID: Bool { segments == Self.documentID.segments }
}

extension FieldPath: Hashable {
    package static func == (lhs: FieldPath, rhs: FieldPath) -> Bool {
        lhs.segments.hasSameBytes(as: rhs.segments)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(segments)
    }
}

extension FieldPath: Comparable {
    /// Segment by segment in the order of UTF-8 bytes, a prefix first.
    package static func < (lhs: FieldPath, rhs: FieldPath) -> Bool {
        lhs.segments.lexicographicallyPrecedes(rhs.segments) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension FieldPath {
    /// Refuses what no request may name: `__x__`, but for `__name__` alone, and paths deeper than any document.
    ///
    /// - Throws: `FirestoreError` (invalid argument) in the words of production (recorded 2026-09) and the official
    ///   emulator (1.19.9).
    package func validate() throws {
        guard !isDocumentID else { return }
        try refuseReservedName()
        guard segments.count <= DocumentLimits.depthMax else { throw FirestoreError.fieldPathTooDeep }
    }

    /// Refuses `__x__` anywhere but in `__name__` alone, which stands for the document's name.
    package func refuseReservedName() throws {
        guard !isDocumentID else { return }
        let name = Self.documentID.segments[0]
        if let index = segments.firstIndex(where: { ResourceID.isReserved($0) && $0 != name }) {
            throw FirestoreError.reservedFieldPath(FieldPath(validated: Array(segments[index...])))
        }
        guard !segments.contains(name) else { throw FirestoreError.nameIsReserved }
    }

    /// The names and the dots between them, without any quoting.
    package var unquoted: String { segments.joined(separator: ".") }
}
