// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

extension Proto.Document {
    /// Converts a stored document of a database.
    ///
    /// - Throws: `DocumentStoreError` (data loss) for one that is damaged in the file.
    init(_ document: Document, in database: DatabaseID) throws {
        self.init()
        name = DocumentReference(database: database, path: document.path).name
        fields = try document.fields.mapValues { Proto.Value($0) }
        createTime = Google_Protobuf_Timestamp(document.createTime)
        updateTime = Google_Protobuf_Timestamp(document.updateTime)
    }
}

extension Proto.WriteResult {
    /// Converts what came of a write; a delete has no update time.
    init(_ result: WriteResult) {
        self.init()
        if let time = result.updateTime { updateTime = Google_Protobuf_Timestamp(time) }
        transformResults = result.transformResults.map { Proto.Value($0) }
    }
}
