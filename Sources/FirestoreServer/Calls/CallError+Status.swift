// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Foundation
import SwiftProtobuf

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
