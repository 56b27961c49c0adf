// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
package import SwiftProtobuf

extension FirestoreCalls {
    /// Deletes every document of a database, as the official emulator offers it to tests; never billed.
    package func clearDocuments(of database: String, in context: CallContext) throws -> Google_Protobuf_Empty {
        let database = try DatabaseID(parsing: database)
        context.attribute(to: database)
        try store.deleteAll(in: database)
        return Google_Protobuf_Empty()
    }
}
