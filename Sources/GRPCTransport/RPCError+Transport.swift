// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import Wire

/// The transport's own refusals, in gRPC's words.
extension RPCError {
    static func messageTooLarge(byteCount: Int, max: Int) -> Self {
        // The official emulator's text, which is grpc-java's (2026-11).
        Self(code: .resourceExhausted, message: "gRPC message exceeds maximum size \(max): \(byteCount)")
    }

    static func decompressedMessageTooLarge(max: Int) -> Self {
        Self(code: .resourceExhausted, message: "Decompressed gRPC message exceeds maximum size \(max)")
    }

    /// The code that Firestore's clients back off from, further each time (firestore_grpc_service_config.json, 2026).
    static func memoryExceeded(_ error: BudgetExceeded) -> Self {
        Self(code: .resourceExhausted, message: error.message)
    }

    static func messageFlagUnknown(_ flag: UInt8) -> Self {
        Self(code: .internalError, message: "A gRPC frame begins with the flag \(flag); only 0 and 1 are defined")
    }

    static let messageCutOff = Self(code: .internalError, message: "The request ended inside a message")

    static let messageCompressionUnannounced = Self(
        code: .internalError,
        message: "A message is compressed, but the request names no grpc-encoding"
    )

    static let compressionFailed = Self(code: .internalError, message: "The message could not be compressed")

    static let decompressionFailed = Self(code: .internalError, message: "A compressed message could not be read")

    static let deadlineExceeded = Self(code: .deadlineExceeded, message: "Deadline Exceeded")

    static let serverStopping = Self(code: .unavailable, message: "The server is shutting down")

    static let callCancelled = Self(code: .cancelled, message: "The client cancelled the call")

    static let requestEmpty = Self(code: .internalError, message: "The request has no message")

    static let requestTooLong = Self(code: .internalError, message: "The request has more than one message")

    static let responseEnded = Self(code: .internalError, message: "The response has already ended")

    static let readTwice = Self(
        code: .internalError,
        message: "The messages of a request can be read once, by one task"
    )

    /// A handler's error, as GRPCCore would answer it.
    init(thrown error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case let error as any RPCErrorConvertible: self.init(error)
        default: self.init(code: .unknown, message: "Service method threw an unknown error.", cause: error)
        }
    }
}
