// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// A change to a field that depends on its stored value or on the server's clock.
package struct FieldTransform: Sendable, Equatable {
    /// How the field changes.
    package enum Operation: Sendable, Equatable {
        /// The commit's time in milliseconds.
        case serverTimestamp
        /// Adds a number; integers saturate.
        case increment(Value)
        case maximum(Value)
        case minimum(Value)
        /// Appends each value the array lacks, where 1 equals 1.0.
        case appendMissingElements([Value])
        /// Removes all values equal to one of these.
        case removeAllFromArray([Value])
    }

    package var fieldPath: FieldPath
    package var operation: Operation

    package init(_ fieldPath: FieldPath, _ operation: Operation) {
        self.fieldPath = fieldPath
        self.operation = operation
    }
}
