// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

/// The answer to a commit.
package struct CommitAnswer: Sendable {
    /// `nil` for no writes outside a transaction, which has the empty answer.
    let result: CommitResult?

    package var message: Proto.CommitResponse {
        var response = Proto.CommitResponse()
        guard let result else { return response }
        response.writeResults = result.results.map { Proto.WriteResult($0) }
        response.commitTime = Google_Protobuf_Timestamp(result.commitTime)
        return response
    }

    /// The message in the wire format, which is written as it is unless transforms have results.
    func serialized() throws -> [UInt8] {
        guard let result, result.results.allSatisfy(\.transformResults.isEmpty) else {
            return try message.serializedBytes()
        }
        var writer = WireWriter(capacity: 20 * (result.results.count + 1))
        for write in result.results {
            writer.append(WireTag.commitWriteResult) { message in
                if let time = write.updateTime { message.append(WireTag.writeResultUpdateTime, time) }
            }
        }
        writer.append(WireTag.commitTime, result.commitTime)
        return writer.bytes
    }
}
