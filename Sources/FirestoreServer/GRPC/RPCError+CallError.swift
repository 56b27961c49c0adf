// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import GRPCCore

@available(macOS 15, iOS 18, *)
extension RPCError {
    /// Puts a refusal in gRPC's form; the code has the same number in both.
    init(_ error: CallError) {
        let status = Status.Code(rawValue: Int(error.code.rawValue))
        var metadata = Metadata()
        if let details = error.statusDetails {
            metadata.addBinary(details, forKey: "grpc-status-details-bin")
        }
        self.init(code: status.flatMap { Code($0) } ?? .unknown, message: error.message, metadata: metadata)
    }

    /// Puts whatever a call threw in gRPC's form.
    init(failure: any Error) {
        switch failure {
        case let error as RPCError: self = error
        case is CancellationError: self.init(code: .cancelled, message: "The call was cancelled.")
        default: self.init(CallError(anything: failure))
        }
    }
}
