// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
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
