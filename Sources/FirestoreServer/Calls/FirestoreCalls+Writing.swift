// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Metering
package import SwiftProtobuf

extension FirestoreCalls {
    /// Creates a document that must not exist; without an id it gets a fresh one.
    package func createDocument(
        _ request: Proto.CreateDocumentRequest,
        in context: CallContext
    ) throws -> WriteAnswer<Proto.Document> {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        let collection = try CollectionPath((parent.document?.segments ?? []) + [request.collectionID])
        context.attribute(to: collection)
        let isNamedByServer = request.documentID.isEmpty
        let path = try collection.document(isNamedByServer ? makeDocumentID() : request.documentID)
        guard request.document.name.isEmpty else { throw CallError.createWithName }
        let fields = try request.document.fields.mapValues { try Value($0) }
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let create = Write.create(path, fields: fields, isNamedByServer: isNamedByServer)
        return try write(create, in: parent.database, returning: mask, in: context)
    }

    /// Changes a document, or creates it unless the precondition forbids that.
    package func updateDocument(
        _ request: Proto.UpdateDocumentRequest,
        in context: CallContext
    ) throws -> WriteAnswer<Proto.Document> {
        let reference = try DocumentReference(parsing: request.document.name)
        context.attribute(to: reference.database)
        context.attribute(to: reference.path)
        var update = Proto.Write()
        update.update = request.document
        if request.hasUpdateMask { update.updateMask = request.updateMask }
        if request.hasCurrentDocument { update.currentDocument = request.currentDocument }
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let write = try Write(update, in: reference.database)
        return try self.write(write, in: reference.database, returning: mask, in: context)
    }

    /// Deletes a document; a missing one is fine without a precondition.
    package func deleteDocument(
        _ request: Proto.DeleteDocumentRequest,
        in context: CallContext
    ) throws -> WriteAnswer<Google_Protobuf_Empty> {
        let reference = try DocumentReference(parsing: request.name)
        context.attribute(to: reference.database)
        context.attribute(to: reference.path)
        var delete = Proto.Write()
        delete.delete = request.name
        if request.hasCurrentDocument { delete.currentDocument = request.currentDocument }
        let write = try Write(delete, in: reference.database)
        return try commit([write], in: reference.database, in: context) { _ in Google_Protobuf_Empty() }
    }

    /// Makes one write and answers with the document as it left it; only the write is billed.
    private func write(
        _ write: Write,
        in database: DatabaseID,
        returning mask: DocumentMask?,
        in context: CallContext
    ) throws -> WriteAnswer<Proto.Document> {
        try commit([write], in: database, in: context) { result in
            guard let document = result.documents.first ?? nil else { throw CallError.unexpected }
            return try Proto.Document(try document.selecting(mask), in: database)
        }
    }

    /// Makes writes in one commit and bills them, as far as that goes without waiting for transactions.
    func commit<Response>(
        _ writes: [Write],
        in database: DatabaseID,
        transaction: TransactionID? = nil,
        in context: CallContext,
        answer: @escaping @Sendable (CommitResult) throws -> Response
    ) throws -> WriteAnswer<Response> {
        try admit(writes)
        let started = try transactions.startCommit(
            writes,
            in: database,
            transaction: transaction,
            authorizing: context.commitAuthorization,
            queued: context.writesQueued
        )
        switch started {
        case .stored(let result):
            context.bill(result)
            return .ready(try answer(result))
        case .waiting(let commit):
            return .waiting { [transactions] in
                let result = try await transactions.finish(commit)
                context.bill(result)
                return try answer(result)
            }
        }
    }
}
