// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension MessageSchema {
    /// A message a line; see `Kind.init(parsing:)`.
    static let table = """
        BatchGetDocumentsRequest database:string documents:*string mask:DocumentMask transaction:bytes@consistency_selector \
        new_transaction:TransactionOptions@consistency_selector read_time:timestamp@consistency_selector \
        request_options:RequestOptions
        BatchWriteRequest database:string writes:*Write labels:%string request_options:RequestOptions
        BeginTransactionRequest database:string options:TransactionOptions request_options:RequestOptions
        CommitRequest database:string writes:*Write transaction:bytes request_options:RequestOptions
        ListCollectionIdsRequest parent:string page_size:int32 page_token:string \
        read_time:timestamp@consistency_selector request_options:RequestOptions
        PartitionQueryRequest parent:string structured_query:StructuredQuery@query_type partition_count:int64 \
        page_token:string page_size:int32 read_time:timestamp@consistency_selector request_options:RequestOptions
        RollbackRequest database:string transaction:bytes request_options:RequestOptions
        RunQueryRequest parent:string structured_query:StructuredQuery@query_type transaction:bytes@consistency_selector \
        new_transaction:TransactionOptions@consistency_selector read_time:timestamp@consistency_selector \
        explain_options:ExplainOptions request_options:RequestOptions
        RunAggregationQueryRequest parent:string structured_aggregation_query:StructuredAggregationQuery@query_type \
        transaction:bytes@consistency_selector new_transaction:TransactionOptions@consistency_selector \
        read_time:timestamp@consistency_selector explain_options:ExplainOptions request_options:RequestOptions
        ListenRequest database:string add_target:Target@target_change remove_target:int32@target_change labels:%string
        WriteRequest database:string stream_id:string writes:*Write stream_token:bytes labels:%string
        Target query:Target.QueryTarget@target_type documents:Target.DocumentsTarget@target_type \
        resume_token:bytes@resume_type read_time:timestamp@resume_type target_id:int32 once:bool expected_count:=int32
        Target.QueryTarget parent:string structured_query:StructuredQuery@query_type
        Target.DocumentsTarget documents:*string
        BatchGetDocumentsResponse found:Document@result missing:string@result transaction:bytes read_time:timestamp
        BatchWriteResponse write_results:*WriteResult status:*google.rpc.Status
        BeginTransactionResponse transaction:bytes
        CommitResponse write_results:*WriteResult commit_time:timestamp
        ListCollectionIdsResponse collection_ids:*string next_page_token:string
        ListDocumentsResponse documents:*Document next_page_token:string
        PartitionQueryResponse partitions:*Cursor next_page_token:string
        RunQueryResponse transaction:bytes document:Document read_time:timestamp skipped_results:int32 \
        done:bool@continuation_selector explain_metrics:ExplainMetrics
        RunAggregationQueryResponse result:AggregationResult transaction:bytes read_time:timestamp \
        explain_metrics:ExplainMetrics
        AggregationResult aggregate_fields:%Value
        WriteResult update_time:timestamp transform_results:*Value
        ExplainMetrics plan_summary:PlanSummary execution_stats:ExecutionStats
        PlanSummary indexes_used:*google.protobuf.Struct
        ExecutionStats results_returned:int64 execution_duration:google.protobuf.Duration read_operations:int64 \
        debug_stats:google.protobuf.Struct
        google.rpc.Status code:int32 message:string details:*google.protobuf.Any
        google.protobuf.Empty
        ExplainOptions analyze:bool
        RequestOptions request_tags:*string
        TransactionOptions read_only:TransactionOptions.ReadOnly@mode read_write:TransactionOptions.ReadWrite@mode
        TransactionOptions.ReadOnly read_time:timestamp@consistency_selector
        TransactionOptions.ReadWrite retry_transaction:bytes
        Document name:string fields:%Value create_time:timestamp update_time:timestamp
        DocumentMask field_paths:*string
        Precondition exists:bool@condition_type update_time:timestamp@condition_type
        Value null_value:null@value_type boolean_value:bool@value_type integer_value:int64@value_type \
        double_value:double@value_type timestamp_value:timestamp@value_type string_value:string@value_type \
        bytes_value:bytes@value_type reference_value:string@value_type geo_point_value:google.type.LatLng@value_type \
        array_value:ArrayValue@value_type map_value:MapValue@value_type
        ArrayValue values:*Value
        MapValue fields:%Value
        google.type.LatLng latitude:double longitude:double
        Write update:Document@operation delete:string@operation verify:string@operation \
        transform:DocumentTransform@operation update_mask:DocumentMask \
        update_transforms:*DocumentTransform.FieldTransform current_document:Precondition
        DocumentTransform document:string field_transforms:*DocumentTransform.FieldTransform
        DocumentTransform.FieldTransform field_path:string \
        set_to_server_value:#DocumentTransform.FieldTransform.ServerValue@transform_type \
        increment:Value@transform_type maximum:Value@transform_type minimum:Value@transform_type \
        append_missing_elements:ArrayValue@transform_type remove_all_from_array:ArrayValue@transform_type
        StructuredAggregationQuery structured_query:StructuredQuery@query_type \
        aggregations:*StructuredAggregationQuery.Aggregation
        StructuredAggregationQuery.Aggregation count:StructuredAggregationQuery.Aggregation.Count@operator \
        sum:StructuredAggregationQuery.Aggregation.Sum@operator avg:StructuredAggregationQuery.Aggregation.Avg@operator \
        alias:string
        StructuredAggregationQuery.Aggregation.Count up_to:=int64
        StructuredAggregationQuery.Aggregation.Sum field:StructuredQuery.FieldReference
        StructuredAggregationQuery.Aggregation.Avg field:StructuredQuery.FieldReference
        Cursor values:*Value before:bool
        StructuredQuery select:StructuredQuery.Projection from:*StructuredQuery.CollectionSelector \
        where:StructuredQuery.Filter order_by:*StructuredQuery.Order start_at:Cursor end_at:Cursor offset:int32 \
        limit:=int32 find_nearest:StructuredQuery.FindNearest
        StructuredQuery.CollectionSelector collection_id:string all_descendants:bool
        StructuredQuery.Filter composite_filter:StructuredQuery.CompositeFilter@filter_type \
        field_filter:StructuredQuery.FieldFilter@filter_type unary_filter:StructuredQuery.UnaryFilter@filter_type
        StructuredQuery.CompositeFilter op:#StructuredQuery.CompositeFilter.Operator filters:*StructuredQuery.Filter
        StructuredQuery.FieldFilter field:StructuredQuery.FieldReference op:#StructuredQuery.FieldFilter.Operator \
        value:Value
        StructuredQuery.UnaryFilter op:#StructuredQuery.UnaryFilter.Operator \
        field:StructuredQuery.FieldReference@operand_type
        StructuredQuery.Order field:StructuredQuery.FieldReference direction:#StructuredQuery.Direction
        StructuredQuery.FieldReference field_path:string
        StructuredQuery.Projection fields:*StructuredQuery.FieldReference
        StructuredQuery.FindNearest vector_field:StructuredQuery.FieldReference query_vector:Value \
        distance_measure:#StructuredQuery.FindNearest.DistanceMeasure limit:=int32 distance_result_field:string \
        distance_threshold:=double
        """

    /// An enumeration a line, with its values.
    static let enumerationTable = """
        DocumentTransform.FieldTransform.ServerValue SERVER_VALUE_UNSPECIFIED REQUEST_TIME
        StructuredQuery.Direction DIRECTION_UNSPECIFIED ASCENDING DESCENDING
        StructuredQuery.CompositeFilter.Operator OPERATOR_UNSPECIFIED AND OR
        StructuredQuery.FieldFilter.Operator OPERATOR_UNSPECIFIED \(names(of: Filter.FieldOperator.self))
        StructuredQuery.UnaryFilter.Operator OPERATOR_UNSPECIFIED \(names(of: Filter.UnaryOperator.self))
        StructuredQuery.FindNearest.DistanceMeasure DISTANCE_MEASURE_UNSPECIFIED EUCLIDEAN COSINE DOT_PRODUCT
        """
    /// The operators that queries know, so that none is forgotten here.
    private static func names<Operator: CaseIterable & RawRepresentable<String>>(of: Operator.Type) -> String {
        Operator.allCases.map(\.rawValue).joined(separator: " ")
    }
}
