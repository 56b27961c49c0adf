// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol

/// As of when a request wants to read.
enum ReadConsistency {
    case latest
    case transaction
    case readTime

    /// Refuses everything but the latest state: older versions and transactions are not kept yet, and answering
    /// with the latest state instead would be a wrong answer.
    func requireLatest() throws {
        switch self {
        case .latest: return
        case .transaction: throw CallError.transactionUnimplemented
        case .readTime: throw CallError.readTimeUnimplemented
        }
    }
}

extension Proto.GetDocumentRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction: .transaction
        case .readTime: .readTime
        }
    }
}

extension Proto.ListDocumentsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction: .transaction
        case .readTime: .readTime
        }
    }
}

extension Proto.BatchGetDocumentsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction, .newTransaction: .transaction
        case .readTime: .readTime
        }
    }
}

extension Proto.RunQueryRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction, .newTransaction: .transaction
        case .readTime: .readTime
        }
    }
}

extension Proto.RunAggregationQueryRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .transaction, .newTransaction: .transaction
        case .readTime: .readTime
        }
    }
}

extension Proto.ListCollectionIDsRequest {
    var consistency: ReadConsistency {
        switch consistencySelector {
        case nil: .latest
        case .readTime: .readTime
        }
    }
}
