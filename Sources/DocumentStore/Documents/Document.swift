// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A stored document as of some moment.
package struct Document: Sendable, Equatable {
    package var path: DocumentPath
    package var fields: [String: Value]
    package var createTime: Timestamp
    package var updateTime: Timestamp

    package init(path: DocumentPath, fields: [String: Value], createTime: Timestamp, updateTime: Timestamp) {
        self.path = path
        self.fields = fields
        self.createTime = createTime
        self.updateTime = updateTime
    }
}
