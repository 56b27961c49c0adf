// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Foundation
import SwiftProtobuf

/// As of when, and within what, a request wants to read.
enum ReadConsistency {
    case latest
    case transaction(Data)
    case newTransaction(Proto.TransactionOptions)
    case readTime(Google_Protobuf_Timestamp)
}

extension Proto.GetDocumentRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction(let id): .transaction(id)
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.ListDocumentsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction(let id): .transaction(id)
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.BatchGetDocumentsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction(let id): .transaction(id)
        case .newTransaction(let options): .newTransaction(options)
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.RunQueryRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction(let id): .transaction(id)
        case .newTransaction(let options): .newTransaction(options)
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.RunAggregationQueryRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction(let id): .transaction(id)
        case .newTransaction(let options): .newTransaction(options)
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.PartitionQueryRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .readTime(let time): .readTime(time)
        }
    }
}

extension Proto.ListCollectionIDsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .readTime(let time): .readTime(time)
        }
    }
}

/// Where in time a call reads: the latest state, a moment in the past, or within a transaction.
struct ReadPoint {
    var transaction: TransactionID?
    var time: Timestamp?
    /// The transaction that the call itself began; its first answer passes it to the client.
    var begun: TransactionID?
}

extension FirestoreCalls {
    /// Finds where a request reads, beginning a transaction if it asks for one.
    func readPoint(_ consistency: ReadConsistency, in database: DatabaseID) throws -> ReadPoint {
        switch consistency {
        case .latest:
            return ReadPoint()
        case .transaction(let id):
            return ReadPoint(transaction: TransactionID(id))
        case .newTransaction(let options):
            // Source: google/firestore/v1/firestore.proto, `new_transaction` of BatchGetDocumentsRequest, RunQueryRequest
            // and RunAggregationQueryRequest: "Defaults to a read-only transaction"; so it is in production (2026-11).
            let options = try TransactionOptions(options, withoutMode: .readOnly(readTime: nil))
            let id = try transactions.begin(options, in: database)
            return ReadPoint(transaction: id, begun: id)
        case .readTime(let time):
            return ReadPoint(time: Timestamp(time))
        }
    }
}

extension TransactionOptions {
    /// Converts received options; what they mean without a mode depends on the call.
    init(_ proto: Proto.TransactionOptions, withoutMode standard: TransactionOptions) throws {
        switch proto.mode {
        case .readOnly(let options):
            guard case .readTime(let time) = options.consistencySelector else {
                self = .readOnly(readTime: nil)
                return
            }
            self = .readOnly(readTime: Timestamp(time))
        case .readWrite(let options):
            let former = options.retryTransaction
            self = .readWrite(retrying: former.isEmpty ? nil : TransactionID(former))
        case nil:
            self = standard
        }
    }
}

extension TransactionID {
    init(_ data: Data) {
        self.init(bytes: Array(data))
    }

    var data: Data { Data(bytes) }
}
