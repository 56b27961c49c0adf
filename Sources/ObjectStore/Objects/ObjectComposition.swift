// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// One of the objects that a composed one begins as.
package struct ObjectComponent: Hashable, Sendable {
    /// The name, in the bucket of the composed object.
    package var name: ObjectName
    /// The version; `nil` for the live one.
    package var generation: Int64?
    /// The required version.
    package var preconditions: ObjectPreconditions

    /// Creates a component.
    package init(name: ObjectName, generation: Int64? = nil, preconditions: ObjectPreconditions = .none) {
        self.name = name
        self.generation = generation
        self.preconditions = preconditions
    }
}

extension SQLiteObjectStore {
    /// The most components of a composition.
    ///
    /// Source: https://cloud.google.com/storage/quotas#objects, "32" (2026-11).
    package static let componentCountMax = 32

    /// Stores the bytes of several objects of a bucket, one after the other, as one object.
    ///
    /// Throws `componentMissing`, `preconditionFailed`, `tooLarge`, `invalidAttribute`, `held` and `retained`, and has
    /// then changed nothing.
    package func compose(
        _ components: [ObjectComponent],
        into path: ObjectPath,
        attributes: ObjectAttributes = ObjectAttributes(),
        preconditions: ObjectPreconditions = .none,
        customerKeyHash: String? = nil
    ) throws -> ObjectMetadata {
        precondition((1...Self.componentCountMax).contains(components.count), "1 to 32 objects can be composed")
        try attributes.validate()
        let readers = try open(components, in: path.bucket)
        let byteCount = readers.reduce(0) { $0 + $1.metadata.byteCount }
        guard byteCount <= configuration.objectByteCountMax else {
            throw ObjectStoreError.tooLarge(limit: configuration.objectByteCountMax)
        }
        let staged = try join(readers, \.file)
        let placement = ObjectPlacement(
            blob: staged.id,
            byteCount: staged.byteCount,
            digest: .joining(readers.map { ($0.metadata.digest, $0.metadata.byteCount) }),
            attributes: attributes,
            componentCount: readers.reduce(0) { $0 + ($1.metadata.componentCount ?? 1) },
            customerKeyHash: customerKeyHash
        )
        return try put(placement, at: path, preconditions: preconditions)
    }

    private func open(_ components: [ObjectComponent], in bucket: BucketName) throws -> [ObjectReader] {
        try components.map { component in
            let path = ObjectPath(bucket: bucket, name: component.name)
            guard let reader = try open(path, generation: component.generation) else {
                throw ObjectStoreError.componentMissing(path)
            }
            try component.preconditions.check(reader.metadata, at: path)
            return reader
        }
    }
}
