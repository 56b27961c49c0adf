// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// The data of an event of generation 2, google.events.cloud.firestore.v1.DocumentEventData: value = 1, old_value = 2,
// update_mask = 3. Its Document and its Value are numbered like those of google.firestore.v1, so that fields are sent
// as they are stored (googleapis/google-cloudevents, `proto/google/events/cloud/firestore/v1/data.proto`).

extension ChangedDocument {
    /// The change as protocol buffers.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    var message: [UInt8] {
        get throws {
            var writer = WireWriter(capacity: byteCount)
            if let after { try writer.append(Self.valueTag, after, in: database) }
            if let before { try writer.append(Self.oldValueTag, before, in: database) }
            if let paths = try changedPaths {
                writer.append(Self.maskTag) { mask in
                    for path in paths { mask.append(Self.pathTag, text: path) }
                }
            }
            return writer.bytes
        }
    }

    private static let valueTag: UInt64 = 1 << 3 | WireTag.delimited
    private static let oldValueTag: UInt64 = 2 << 3 | WireTag.delimited
    private static let maskTag: UInt64 = 3 << 3 | WireTag.delimited
    private static let pathTag: UInt64 = 1 << 3 | WireTag.delimited
}

extension WireWriter {
    fileprivate mutating func append(_ tag: UInt64, _ document: Document, in database: DatabaseID) throws {
        let fields = try document.sentFields
        append(tag) { message in
            message.append(WireTag.documentName, nameOf: document.path, in: database)
            message.append(encoded: fields)
            message.append(WireTag.documentCreateTime, time: document.createTime)
            message.append(WireTag.documentUpdateTime, time: document.updateTime)
        }
    }
}
