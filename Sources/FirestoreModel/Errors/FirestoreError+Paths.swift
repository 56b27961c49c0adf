// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts where they are recorded (2026-09), else the official emulator's (1.19.9).
extension FirestoreError {
    static func dotsInName(
        kind: ResourceNameKind,
        name: String,
        noun: String,
        identifier: Substring,
        index: Int
    ) -> Self {
        Self(
            .invalidArgument,
            "\(kind.rawValue) \"\(name)\" contains a \(noun) \"\(identifier)\" at index \(index)."
        )
    }

    static func incompleteName(kind: ResourceNameKind, name: String, missing: String, index: Int) -> Self {
        Self(.invalidArgument, "\(kind.rawValue) \"\(name)\" lacks \(missing) at index \(index).")
    }

    static func trailingSlash(kind: ResourceNameKind, name: String) -> Self {
        Self(.invalidArgument, "\(kind.rawValue) \"\(name)\" has invalid trailing \"/\".")
    }

    static func emptyDocument(kind: ResourceNameKind, name: String) -> Self {
        Self(.invalidArgument, "\(kind.rawValue) \"\(name)\" is invalid: Omit trailing \"/\".")
    }

    static func databaseInsteadOfDocument(kind: ResourceNameKind, name: String) -> Self {
        Self(
            .invalidArgument,
            """
            \(kind.rawValue) "\(name)" is invalid: Omit "/documents" when referencing a database \
            (except as the parent of a document).
            """
        )
    }

    static func invalidID(_ identifier: String, role: ResourceID.Role, because reason: String) -> Self {
        Self(.invalidArgument, "\(role.rawValue) \"\(identifier)\" is invalid because \(reason).")
    }

    static func idTooLong(_ role: ResourceID.Role) -> Self {
        let element = role == .collection ? "kind" : "name"
        return Self(
            .invalidArgument,
            "The key path element \(element) is longer than \(ResourceID.byteCountMax) bytes."
        )
    }

    /// Production refuses this; its text is not recorded.
    package static var documentNameTooLong: Self {
        Self(.invalidArgument, "The document name is longer than \(DocumentLimits.nameByteCountMax) bytes.")
    }

    static func notADocumentPath(_ segments: [String]) -> Self {
        Self(.invalidArgument, "A document path needs an even number of segments; this one has \(segments.count).")
    }

    static func notACollectionPath(_ segments: [String]) -> Self {
        Self(.invalidArgument, "A collection path needs an odd number of segments; this one has \(segments.count).")
    }
}
