// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreProtocol

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
