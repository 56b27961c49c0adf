// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import Foundation
import SwiftProtobuf

extension CallError {
    /// The error as `google.rpc.Status`: the bytes of gRPC's `grpc-status-details-bin`.
    ///
    /// `nil` without details: then the status and its message say it all.
    package var statusDetails: [UInt8]? {
        guard !details.isEmpty else { return nil }
        var status = Proto.Status()
        status.code = code.rawValue
        status.message = message
        status.details = details.map { detail in
            var any = Google_Protobuf_Any()
            any.typeURL = detail.typeURL
            any.value = Data(detail.protobuf)
            return any
        }
        return try? status.serializedBytes()
    }
}
