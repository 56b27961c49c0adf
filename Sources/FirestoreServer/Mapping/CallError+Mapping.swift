// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

// Production's texts where they are recorded (2026-09), else the official emulator's (1.19.9).
extension CallError {
    static let valueUnset = invalid("Cannot convert firestore.v1.Value with type unset.")

    static let vectorComponentInvalid = invalid("Vector must only contain values of type 'double'")

    static let vectorWithoutValue = invalid("Vector map is missing key 'value'.")

    static let vectorWithOtherFields = invalid("Vector Value map has extraneous entries.")

    static let mapTypeInvalid = invalid("Field __type__ is not a string.")

    static let transformsMissing = invalid("The list of FieldTransform must not be empty.")

    static let transformUnknown = invalid("Operation type must be specified for field transformation.")

    static let serverValueUnknown = invalid(
        "ServerValue type must be specified for set_to_server_value transformation."
    )

    static let writeWithoutOperation = invalid("empty write operation")

    static let filterUnknown = invalid("Unknown Filter type.")

    static let compositeFilterEmpty = invalid("Composite filter must have at least one sub-filter.")

    static let compositeOperatorUnknown = invalid("Unsupported CompositeFilter operator.")

    static let unaryOperandMissing = invalid("Unsupported UnaryFilter operand type (non-FIELD).")

    static let fieldOperatorUnknown = invalid("Unknown FieldFilter operator.")

    static let distanceMeasureUnknown = invalid("Unknown Distance Measure.")

    static let queryVectorMissing = invalid("Query Value must be of type vector.")

    static let unaryOperatorUnknown = invalid("Unknown UnaryFilter operator.")

    static let selectorRepeated = invalid("StructuredQuery.from cannot have more than one collection selector.")

    static let verifyWithoutPrecondition = invalid("a verify must contain a precondition")

    static let deleteWithMask = invalid("a delete must not specify a document mask.")

    static let deleteWithTransforms = invalid("a delete must not specify a update transform.")

    static let directionUnknown = invalid("Unrecognized ordering.")

    // The official emulator answers these differently or not at all.

    static let fieldChangesWithoutUpdate = invalid(
        "Write.update_mask and Write.update_transforms go only with Write.update."
    )

    static let databaseNameInvalid = invalid(
        "A database is named projects/{project}/databases/{database} and nothing more."
    )

    /// Production's words for a reference in a filter (recorded 2026-09); those for other names are not recorded.
    static func databaseMismatch(request: DatabaseID, name: DatabaseID) -> Self {
        invalid("The request was for database '\(request)' but was attempting to access database '\(name)'")
    }
}
