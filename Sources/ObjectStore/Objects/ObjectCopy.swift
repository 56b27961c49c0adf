// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Which version is to be stored again, and where.
package struct ObjectCopy: Hashable, Sendable {
    /// The object to copy.
    package var source: ObjectPath
    /// The version of it; `nil` for the live one.
    package var sourceGeneration: Int64?
    /// The precondition of the source.
    package var sourcePreconditions = ObjectPreconditions.none
    /// Where the copy goes, replacing what is there.
    package var destination: ObjectPath
    /// The precondition.
    package var preconditions = ObjectPreconditions.none
    /// The hash of the key that the client encrypts the copy with; `nil` without one.
    package var customerKeyHash: String?
    /// Whether the source goes away with the copy, as one step.
    package var isMove = false

    /// Creates a copy of the live version without preconditions.
    package init(from source: ObjectPath, to destination: ObjectPath) {
        self.source = source
        self.destination = destination
    }
}

extension SQLiteObjectStore {
    /// Copies or moves an object in one transaction, whatever its size: both versions share the bytes.
    ///
    /// - Parameters:
    ///   - copy: What is copied where.
    ///   - keepingCustomerKey: Whether the copy is encrypted with the source's key.
    ///   - change: Makes the copy's attributes of the source.
    /// - Returns: the copy; `nil` when there is no source.
    /// - Throws: `preconditionFailed`, `held` or `retained`, and has then changed nothing.
    package func copy(
        _ copy: ObjectCopy,
        keepingCustomerKey: Bool = false,
        _ change: (ObjectMetadata) throws -> ObjectAttributes
    ) throws -> ObjectMetadata? {
        try changing { database, unnamed in
            let sources = try ObjectTable(database, bucket: copy.source.bucket)
            let found = try sources?.current(copy.source.name, generation: copy.sourceGeneration)
            guard let sources, let source = found else { return nil }
            try copy.sourcePreconditions.check(source.metadata, at: copy.source)
            if copy.isMove { try requireRemovable(source.metadata, at: clock()) }
            var placement = ObjectPlacement(source)
            placement.attributes = try change(source.metadata)
            try placement.attributes.validate()
            if !keepingCustomerKey { placement.customerKeyHash = copy.customerKeyHash }
            let stored = try place(
                placement,
                at: copy.destination,
                preconditions: copy.preconditions,
                database: database,
                unnamed: &unnamed
            )
            // Moved onto itself, the live version has been retired already: its place holds the new one.
            let isReplaced = copy.source == copy.destination && source.metadata.retirement == nil
            if copy.isMove, !isReplaced {
                try sources.retire(source, at: clock())
                let isArchived = sources.bucket.metadata.settings.isVersioned
                events.add(isArchived ? .archived : .deleted, source.metadata)
            }
            return stored
        }
    }
}
