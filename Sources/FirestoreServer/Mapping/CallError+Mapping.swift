// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
package import FirestoreProtocol

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

/// Short names for the messages of `google.firestore.v1`, apart from the store's types of the same names.
package enum Proto {
    package typealias AggregationResult = Google_Firestore_V1_AggregationResult
    package typealias ArrayValue = Google_Firestore_V1_ArrayValue
    package typealias BloomFilter = Google_Firestore_V1_BloomFilter
    package typealias Cursor = Google_Firestore_V1_Cursor
    package typealias Document = Google_Firestore_V1_Document
    package typealias DocumentMask = Google_Firestore_V1_DocumentMask
    package typealias FieldTransform = Google_Firestore_V1_DocumentTransform.FieldTransform
    package typealias LatLng = Google_Type_LatLng
    package typealias MapValue = Google_Firestore_V1_MapValue
    package typealias Precondition = Google_Firestore_V1_Precondition
    package typealias ExplainMetrics = Google_Firestore_V1_ExplainMetrics
    typealias ExplainOptions = Google_Firestore_V1_ExplainOptions
    package typealias Target = Google_Firestore_V1_Target
    typealias TargetChange = Google_Firestore_V1_TargetChange
    package typealias TransactionOptions = Google_Firestore_V1_TransactionOptions
    package typealias Status = Google_Rpc_Status
    package typealias StructuredAggregationQuery = Google_Firestore_V1_StructuredAggregationQuery
    package typealias StructuredQuery = Google_Firestore_V1_StructuredQuery
    package typealias Value = Google_Firestore_V1_Value
    package typealias Write = Google_Firestore_V1_Write
    package typealias WriteResult = Google_Firestore_V1_WriteResult

    package typealias BeginTransactionRequest = Google_Firestore_V1_BeginTransactionRequest
    package typealias BeginTransactionResponse = Google_Firestore_V1_BeginTransactionResponse
    package typealias BatchGetDocumentsRequest = Google_Firestore_V1_BatchGetDocumentsRequest
    package typealias BatchGetDocumentsResponse = Google_Firestore_V1_BatchGetDocumentsResponse
    package typealias BatchWriteRequest = Google_Firestore_V1_BatchWriteRequest
    package typealias BatchWriteResponse = Google_Firestore_V1_BatchWriteResponse
    package typealias CommitRequest = Google_Firestore_V1_CommitRequest
    package typealias CommitResponse = Google_Firestore_V1_CommitResponse
    package typealias CreateDocumentRequest = Google_Firestore_V1_CreateDocumentRequest
    package typealias DeleteDocumentRequest = Google_Firestore_V1_DeleteDocumentRequest
    typealias GetDocumentRequest = Google_Firestore_V1_GetDocumentRequest
    package typealias ListCollectionIDsRequest = Google_Firestore_V1_ListCollectionIdsRequest
    package typealias ListCollectionIDsResponse = Google_Firestore_V1_ListCollectionIdsResponse
    package typealias ListDocumentsRequest = Google_Firestore_V1_ListDocumentsRequest
    package typealias ListDocumentsResponse = Google_Firestore_V1_ListDocumentsResponse
    package typealias ListenRequest = Google_Firestore_V1_ListenRequest
    package typealias ListenResponse = Google_Firestore_V1_ListenResponse
    package typealias PartitionQueryRequest = Google_Firestore_V1_PartitionQueryRequest
    package typealias PartitionQueryResponse = Google_Firestore_V1_PartitionQueryResponse
    package typealias RollbackRequest = Google_Firestore_V1_RollbackRequest
    package typealias RunAggregationQueryRequest = Google_Firestore_V1_RunAggregationQueryRequest
    package typealias RunAggregationQueryResponse = Google_Firestore_V1_RunAggregationQueryResponse
    package typealias RunQueryRequest = Google_Firestore_V1_RunQueryRequest
    package typealias RunQueryResponse = Google_Firestore_V1_RunQueryResponse
    package typealias UpdateDocumentRequest = Google_Firestore_V1_UpdateDocumentRequest
    typealias WriteRequest = Google_Firestore_V1_WriteRequest
    typealias WriteResponse = Google_Firestore_V1_WriteResponse
}
