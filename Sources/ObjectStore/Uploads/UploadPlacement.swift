// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The object to make of an upload's bytes.
package struct UploadPlacement: Sendable {
    /// Where the object is to be, replacing what is there.
    package var path: ObjectPath
    /// The attributes that the client gives it.
    package var attributes: ObjectAttributes
    /// The precondition.
    package var preconditions: ObjectPreconditions
    /// The sums that the bytes must have.
    package var expected: ExpectedDigest
    /// The hash of the key that the client encrypts the object with; `nil` without one.
    package var customerKeyHash: String?
    /// Throws where the object must not be stored, or not replace the former one; `nil` where everything is allowed.
    package var authorize: Authorization?

    /// Judges, inside the transaction, an object about to be stored; `former` is the one it replaces, if there is one.
    package typealias Authorization = @Sendable (_ former: ObjectMetadata?, _ object: ObjectMetadata) throws -> Void

    /// Describes an object.
    package init(
        path: ObjectPath,
        attributes: ObjectAttributes = ObjectAttributes(),
        preconditions: ObjectPreconditions = .none,
        expected: ExpectedDigest = .anything,
        customerKeyHash: String? = nil,
        authorize: Authorization? = nil
    ) {
        self.path = path
        self.attributes = attributes
        self.preconditions = preconditions
        self.expected = expected
        self.customerKeyHash = customerKeyHash
        self.authorize = authorize
    }
}
