// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The versions that a client requires an object to have; an absent object has generation and metageneration 0.
package struct ObjectPreconditions: Hashable, Codable, Sendable {
    /// The generation the object must have; 0 requires that there is no object.
    package var ifGenerationMatch: Int64?
    /// The generation the object must not have; 0 requires that there is an object.
    package var ifGenerationNotMatch: Int64?
    /// The metageneration the object must have.
    package var ifMetagenerationMatch: Int64?
    /// The metageneration the object must not have.
    package var ifMetagenerationNotMatch: Int64?

    /// No requirement.
    package static let none = Self()

    /// Creates preconditions; what is not named is not required.
    package init(
        ifGenerationMatch: Int64? = nil,
        ifGenerationNotMatch: Int64? = nil,
        ifMetagenerationMatch: Int64? = nil,
        ifMetagenerationNotMatch: Int64? = nil
    ) {
        self.ifGenerationMatch = ifGenerationMatch
        self.ifGenerationNotMatch = ifGenerationNotMatch
        self.ifMetagenerationMatch = ifMetagenerationMatch
        self.ifMetagenerationNotMatch = ifMetagenerationNotMatch
    }

    /// How an object fails preconditions: a read answers 412 to the first and 304 to the second.
    package enum Failure: Hashable, Sendable {
        /// The object has not the version the client requires.
        case mismatched
        /// The object still has the version the client wants to hear no more of.
        case notModified
    }

    /// Returns how the object fails, `nil` when it meets all preconditions.
    package func failure(for object: ObjectMetadata?) -> Failure? {
        let generation = object?.generation ?? 0
        let metageneration = object?.metageneration ?? 0
        if let ifGenerationMatch, ifGenerationMatch != generation { return .mismatched }
        if let ifMetagenerationMatch, ifMetagenerationMatch != metageneration { return .mismatched }
        if let ifGenerationNotMatch, ifGenerationNotMatch == generation { return .notModified }
        if let ifMetagenerationNotMatch, ifMetagenerationNotMatch == metageneration { return .notModified }
        return nil
    }

    /// Throws `preconditionFailed` or `notModified` when the object fails.
    ///
    /// Production answers 412 to a write whose `NotMatch` fails of an absent object, and 304 if it fails of one that is
    /// there (recorded 2026).
    func check(_ object: ObjectMetadata?, at path: ObjectPath) throws {
        switch failure(for: object) {
        case nil: return
        case .notModified where object != nil: throw ObjectStoreError.notModified(path)
        case .mismatched, .notModified: throw ObjectStoreError.preconditionFailed(path)
        }
    }
}
