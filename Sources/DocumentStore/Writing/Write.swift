// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// One change to one document.
package struct Write: Sendable, Equatable {
    /// The change to the document before its transforms.
    package enum Operation: Sendable, Equatable {
        /// Without a mask the fields replace the document. With one only the masked fields change,
        /// and those absent from `fields` are deleted. An empty mask changes nothing but still creates.
        case set(fields: WrittenFields, mask: DocumentMask?)
        case delete
        /// Changes nothing: only the precondition counts. Neither billed nor reported to observers.
        case verify
    }

    package var path: DocumentPath
    package var operation: Operation
    /// Applied in order, after the operation.
    package var updateTransforms: [FieldTransform]
    package var precondition: Precondition?
    /// Whether the server made the document's id for this write: its client does not know it yet.
    package var isNamedByServer = false

    package init(
        path: DocumentPath,
        operation: Operation,
        updateTransforms: [FieldTransform] = [],
        precondition: Precondition? = nil
    ) {
        self.path = path
        self.operation = operation
        self.updateTransforms = updateTransforms
        self.precondition = precondition
    }
}

extension Write {
    /// Creates or replaces a document, or changes the masked fields.
    package static func set(
        _ path: DocumentPath,
        fields: [String: Value],
        mask: DocumentMask? = nil,
        updateTransforms: [FieldTransform] = [],
        precondition: Precondition? = nil
    ) -> Write {
        Write(
            path: path,
            operation: .set(fields: .values(fields), mask: mask),
            updateTransforms: updateTransforms,
            precondition: precondition
        )
    }

    /// Creates a document that must not exist yet, perhaps one whose id the server made.
    package static func create(
        _ path: DocumentPath,
        fields: [String: Value],
        isNamedByServer: Bool = false
    ) -> Write {
        var write = Write.set(path, fields: fields, precondition: .exists(false))
        write.isNamedByServer = isNamedByServer
        return write
    }

    /// Deletes a document; one that is missing only with a precondition matters.
    package static func delete(_ path: DocumentPath, precondition: Precondition? = nil) -> Write {
        Write(path: path, operation: .delete, precondition: precondition)
    }

    /// Checks a document and leaves it alone.
    package static func verify(_ path: DocumentPath, precondition: Precondition) -> Write {
        Write(path: path, operation: .verify, precondition: precondition)
    }

    /// Transforms fields and leaves the others alone.
    package static func transform(
        _ path: DocumentPath,
        _ transforms: [FieldTransform],
        precondition: Precondition? = nil
    ) -> Write {
        .set(path, fields: [:], mask: DocumentMask([]), updateTransforms: transforms, precondition: precondition)
    }
}

extension Write {
    /// Whether it stores a document, rather than to delete one or to look at it.
    var isSet: Bool {
        if case .set = operation { true } else { false }
    }
}

/// The precondition of a write on the stored document.
package enum Precondition: Sendable, Equatable {
    case exists(Bool)
    /// The document exists and was last changed at this time.
    case updateTime(Timestamp)
}
