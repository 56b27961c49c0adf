// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol

// The requests whose fields come from the body, but for the resource in the path.
extension RESTExchange {
    func batchGetRequest() throws -> Proto.BatchGetDocumentsRequest {
        var request = try decodedBody(as: Proto.BatchGetDocumentsRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func batchWriteRequest() throws -> Proto.BatchWriteRequest {
        var request = try decodedBody(as: Proto.BatchWriteRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func beginRequest() throws -> Proto.BeginTransactionRequest {
        var request = try decodedBody(as: Proto.BeginTransactionRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func rollbackRequest() throws -> Proto.RollbackRequest {
        var request = try decodedBody(as: Proto.RollbackRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func partitionRequest() throws -> Proto.PartitionQueryRequest {
        var request = try decodedBody(as: Proto.PartitionQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func commitRequest() throws -> Proto.CommitRequest {
        var request = try decodedBody(as: Proto.CommitRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func collectionIDsRequest() throws -> Proto.ListCollectionIDsRequest {
        var request = try decodedBody(as: Proto.ListCollectionIDsRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func queryRequest() throws -> Proto.RunQueryRequest {
        var request = try decodedBody(as: Proto.RunQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func aggregationRequest() throws -> Proto.RunAggregationQueryRequest {
        var request = try decodedBody(as: Proto.RunAggregationQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }
}
