// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import DocumentStore
import FirestoreModel

extension IndexAdvisor {
    /// The needs so far, as the console lists them.
    var missingIndexes: [ConsoleServer.MissingIndex] {
        needs.map { need in
            ConsoleServer.MissingIndex(
                database: need.database.name,
                list: need.index.configurationKey,
                entry: need.index.configurationEntry,
                queryCount: need.queryCount
            )
        }
    }
}
