// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

extension ListenTarget {
    /// Converts a received target; what is wrong with its content is reported in the stream, which continues.
    ///
    /// - Throws: `CallError` for a target without content.
    init(_ proto: Proto.Target, in database: DatabaseID) throws {
        let content: Content
        do {
            content = try Content(proto, in: database)
        } catch let error as FirestoreError {
            content = .refused(error)
        }
        self.init(
            id: proto.targetID,
            content,
            start: Start(proto),
            once: proto.once,
            expectedCount: proto.hasExpectedCount ? Int(proto.expectedCount.value) : nil
        )
    }
}

extension ListenTarget.Content {
    fileprivate init(_ proto: Proto.Target, in database: DatabaseID) throws {
        switch proto.targetType {
        case .documents(let target):
            self = .documents(try target.documents.map { try DocumentPath(named: $0, in: database) })
        case .query(let target):
            guard case .structuredQuery(let structured) = target.queryType else { throw CallError.queryMissing }
            let parent = try ResourceParent(parsing: target.parent)
            guard parent.database == database else { throw CallError.listenDatabaseChanged }
            self = .query(try Query(structured, under: parent.document))
        case nil:
            throw CallError.targetWithoutType
        }
    }
}

extension ListenTarget.Start {
    fileprivate init(_ proto: Proto.Target) {
        switch proto.resumeType {
        case .resumeToken(let token) where !token.isEmpty: self = .token(Array(token))
        case .readTime(let time): self = .readTime(Timestamp(time))
        case .resumeToken, nil: self = .fresh
        }
    }
}
