// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

extension DatabaseID {
    /// Parses `projects/{project}/databases/{database}`.
    init(parsing name: String) throws {
        if let plain = DatabaseID(plain: name) {
            self = plain
            return
        }
        let root = try ResourceParent(parsing: name + "/documents")
        guard root.document == nil else { throw CallError.databaseNameInvalid }
        self = root.database
    }
}
