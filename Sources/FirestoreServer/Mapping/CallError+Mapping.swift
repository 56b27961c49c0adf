// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

// Where the official emulator 1.19.9 has a text, it is the text (measured 2026-11).
extension CallError {
    static let valueUnset = invalid("Cannot convert firestore.v1.Value with type unset.")

    static let vectorComponentInvalid = invalid("Vector must only contain values of type 'double'")

    static let vectorWithoutValue = invalid("Vector map is missing key 'value'.")

    static let transformsMissing = invalid("The list of FieldTransform must not be empty.")

    static let transformUnknown = invalid("Operation type must be specified for field transformation.")

    static let writeWithoutOperation = invalid("empty write operation")

    static let filterUnknown = invalid("Unknown Filter type.")

    static let compositeFilterEmpty = invalid("Composite filter must have at least one sub-filter.")

    static let compositeOperatorUnknown = invalid("Unsupported CompositeFilter operator.")

    static let unaryOperatorUnknown = invalid("Unknown UnaryFilter operator.")

    static let selectorRepeated = invalid("StructuredQuery.from cannot have more than one collection selector.")

    // The official emulator answers these differently or not at all.

    static let vectorWithOtherFields = invalid("A vector map has the keys __type__ and value and no others.")

    static let verifyWithoutPrecondition = invalid(
        "Write.verify needs a current_document precondition; there is nothing to verify without one."
    )

    static let fieldChangesWithoutUpdate = invalid(
        "Write.update_mask and Write.update_transforms go only with Write.update."
    )

    static let fieldOperatorUnknown = invalid("FieldFilter.op is missing or unknown.")

    static let directionUnknown = invalid("Order.direction is unknown.")

    static let findNearestUnimplemented = unimplemented(
        "StructuredQuery.find_nearest is not implemented; leave it out."
    )

    static let databaseNameInvalid = invalid(
        "A database is named projects/{project}/databases/{database} and nothing more."
    )

    static func databaseMismatch(request: DatabaseID, name: DatabaseID) -> Self {
        invalid("The request is for \"\(request)\", but a name in it is in \"\(name)\"; use one database a request.")
    }
}
