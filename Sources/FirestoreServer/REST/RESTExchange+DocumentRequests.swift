// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import Foundation
import SwiftProtobuf

// The requests whose fields come from the path and the query.
extension RESTExchange {
    mutating func getRequest() throws -> Proto.GetDocumentRequest {
        var request = Proto.GetDocumentRequest()
        request.name = route.name
        if let mask = parameters.mask("mask") { request.mask = mask }
        if let transaction = try parameters.bytes("transaction") { request.transaction = transaction }
        if let time = try parameters.time("readTime") { request.readTime = time }
        try parameters.finish()
        return request
    }

    mutating func listRequest() throws -> Proto.ListDocumentsRequest {
        var request = Proto.ListDocumentsRequest()
        request.parent = route.parent
        request.collectionID = route.segments.last ?? ""
        request.pageSize = try parameters.parsed("pageSize", as: Google_Protobuf_Int32Value.self)?.value ?? 0
        request.pageToken = try parameters.single("pageToken") ?? ""
        request.orderBy = try parameters.single("orderBy") ?? ""
        request.showMissing = try parameters.flag("showMissing") ?? false
        if let mask = parameters.mask("mask") { request.mask = mask }
        if let transaction = try parameters.bytes("transaction") { request.transaction = transaction }
        if let time = try parameters.time("readTime") { request.readTime = time }
        try parameters.finish()
        return request
    }

    mutating func createRequest() throws -> Proto.CreateDocumentRequest {
        var request = Proto.CreateDocumentRequest()
        request.parent = route.parent
        request.collectionID = route.segments.last ?? ""
        request.documentID = try parameters.single("documentId") ?? ""
        if let mask = parameters.mask("mask") { request.mask = mask }
        request.document = try decodedBody(as: Proto.Document.self)
        return request
    }

    mutating func updateRequest() throws -> Proto.UpdateDocumentRequest {
        var request = Proto.UpdateDocumentRequest()
        if let mask = parameters.mask("updateMask") { request.updateMask = mask }
        if let mask = parameters.mask("mask") { request.mask = mask }
        if let condition = try parameters.precondition() { request.currentDocument = condition }
        request.document = try decodedBody(as: Proto.Document.self)
        request.document.name = try urlName(route.name, repeatedAs: request.document.name)
        return request
    }

    mutating func deleteRequest() throws -> Proto.DeleteDocumentRequest {
        var request = Proto.DeleteDocumentRequest()
        request.name = route.name
        if let condition = try parameters.precondition() { request.currentDocument = condition }
        try parameters.finish()
        return request
    }
}

extension QueryParameters {
    /// Takes the field paths of a mask; `nil` without any.
    fileprivate mutating func mask(_ name: String) -> Proto.DocumentMask? {
        let fieldPaths = list("\(name).fieldPaths")
        if fieldPaths.isEmpty { return nil }
        var mask = Proto.DocumentMask()
        mask.fieldPaths = fieldPaths
        return mask
    }

    fileprivate mutating func bytes(_ name: String) throws -> Data? {
        try parsed(name, as: Google_Protobuf_BytesValue.self)?.value
    }

    fileprivate mutating func time(_ name: String) throws -> Google_Protobuf_Timestamp? {
        try parsed(name, as: Google_Protobuf_Timestamp.self)
    }

    /// Takes the one condition a request may have.
    fileprivate mutating func precondition() throws -> Proto.Precondition? {
        let exists = try flag("currentDocument.exists")
        let updateTime = try time("currentDocument.updateTime")
        var condition = Proto.Precondition()
        switch (exists, updateTime) {
        case (nil, nil): return nil
        case (.some(let exists), nil): condition.exists = exists
        case (nil, .some(let time)): condition.updateTime = time
        case (.some, .some): throw CallError.preconditionAmbiguous
        }
        return condition
    }
}
