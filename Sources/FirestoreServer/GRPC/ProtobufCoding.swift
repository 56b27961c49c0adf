// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import SwiftProtobuf

/// Writes a message in the protobuf wire format.
@available(macOS 15, iOS 18, *)
struct ProtobufSerializer<Message: SwiftProtobuf.Message>: MessageSerializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        do {
            return Bytes(try message.serializedBytes() as [UInt8])
        } catch {
            throw RPCError(code: .internalError, message: "The answer could not be encoded.")
        }
    }
}

/// Reads a message in the protobuf wire format.
@available(macOS 15, iOS 18, *)
struct ProtobufDeserializer<Message: SwiftProtobuf.Message>: MessageDeserializer {
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        do {
            return try bytes.withUnsafeBytes { try Message(serializedBytes: Array($0)) }
        } catch {
            throw RPCError(undecodable: Message.self)
        }
    }
}

@available(macOS 15, iOS 18, *)
extension RPCError {
    /// Refuses bytes that are not such a message.
    init<Message: SwiftProtobuf.Message>(undecodable type: Message.Type) {
        self.init(code: .internalError, message: "The request is no \(Message.protoMessageName).")
    }
}
