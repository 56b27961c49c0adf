// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Foundation
import SwiftProtobuf

/// Why a call was refused, in the terms every protocol face can express.
package struct CallError: Error, Sendable, Equatable {
    /// The kind of failure.
    package var code: StatusCode
    /// The problem, and how to remedy it, without values of documents.
    package var message: String
    /// The details for programs; mostly none.
    package var details: [ErrorDetail]

    /// Creates an error; a message that repeats a name of megabytes is cut.
    package init(code: StatusCode, message: String, details: [ErrorDetail] = []) {
        self.code = code
        self.message = MessageText.cut(message)
        self.details = details
    }

    /// A request that could never succeed.
    static func invalid(_ message: String, details: [ErrorDetail] = []) -> Self {
        Self(code: .invalidArgument, message: message, details: details)
    }

    /// A request this server does not answer yet.
    static func unimplemented(_ message: String) -> Self {
        Self(code: .unimplemented, message: message)
    }
}

extension CallError {
    static let transactionMissing = invalid("The request names no transaction.")
}

// The official emulator hangs where these are answered.
extension CallError {
    static let writeStreamOpenedWithWrites = invalid(
        "The first message of a Write stream opens it and carries no writes; send them from the second on."
    )

    static let writeStreamDatabaseChanged = invalid("A Write stream keeps the database of its first message.")

    static let listenDatabaseChanged = invalid("A Listen stream keeps the database of its first message.")

    static let listenWithoutTarget = invalid("A ListenRequest needs add_target or remove_target.")

    static let targetWithoutType = invalid("A Target needs a query or documents.")
}

// Production's texts (recorded 2026-09).
extension CallError {
    static let partitionQueryMissing = invalid("Query is required.")

    static let partitionCountNotPositive = invalid("Partition count must be greater than zero.")

    static let partitionPageSizeNegative = invalid("Page size must be nonnegative.")

    static let partitionNotOfGroup = invalid("Query must select all descendant collections.")

    static let partitionFiltered = invalid("order by clause cannot contain more fields after the key")

    static let partitionPageTokenInvalid = invalid("invalid page token")

    static let pageTokenOfOtherPartition = invalid("Invalid page token.")

    static func partitionUnsupported(_ what: String) -> Self {
        invalid("\(what) not supported.")
    }
}

extension CallError {
    /// The message in the details is cut to this, as it stands in `grpc-message`, too, and both have to fit a client's limit.
    private static let detailedMessageByteCountMax = 2 << 10

    /// The error as `google.rpc.Status`: the bytes of gRPC's `grpc-status-details-bin`.
    ///
    /// `nil` without details: then the status and its message say it all.
    package var statusDetails: [UInt8]? {
        guard !details.isEmpty else { return nil }
        var status = Proto.Status()
        status.code = code.rawValue
        status.message = MessageText.cut(message, to: Self.detailedMessageByteCountMax)
        status.details = details.map { detail in
            var any = Google_Protobuf_Any()
            any.typeURL = detail.typeURL
            any.value = Data(detail.protobuf)
            return any
        }
        return try? status.serializedBytes()
    }
}

// Production's texts (recorded 2026-09).
extension CallError {
    static let aggregationQueryMissing = invalid("Only structured aggregation queries are supported.")

    static let aggregationMissing = invalid("Aggregations can not be empty.")

    static func aliasRepeated(_ alias: String) -> Self {
        invalid("Aggregation aliases contain duplicate alias: \(alias).")
    }

    static func aliasReserved(_ alias: String) -> Self {
        invalid("The property.name \"\(alias)\" is reserved.")
    }

    static let aliasTooLong = invalid(
        "The property.name is longer than \(AggregationFold.aliasByteCountMax) bytes."
    )

    static func aggregationCount(_ count: Int) -> Self {
        let limit = AggregationFold.aggregationCountMax
        return invalid(
            "The maximum number of aggregations allowed in an aggregation query is \(limit). Received: \(count)",
            details: [
                .info(
                    reason: "TOO_MANY_AGGREGATIONS",
                    metadata: ["actual_aggregations": "\(count)", "max_aggregations": "\(limit)"]
                )
            ]
        )
    }

    static let aggregationUnknown = invalid("Operator field in Aggregation is not set.")

    static let aggregationOfName = invalid("Aggregations are not supported for the property: __key__")

    static let upToNegative = invalid(
        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
    )
}
