// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf

/// The JSON form of messages, one codec for requests and answers.
///
/// Answers are compact and their map keys sorted, so equal answers are equal bytes.
enum ProtoJSON {
    /// Decodes a request; an empty body stands for the empty message, as SDKs send it.
    ///
    /// - Throws: `CallError` (invalid argument) in production's words.
    static func decode<Message: SwiftProtobuf.Message>(_ body: [UInt8], as type: Message.Type) throws -> Message {
        if body.isEmpty { return Message() }
        // Nearly every body is strict; the others are gone through once more, to read or to refuse them like Google.
        return try (try? Message(jsonUTF8Bytes: body)) ?? decodeLoosely(body)
    }

    private static func decodeLoosely<Message: SwiftProtobuf.Message>(_ body: [UInt8]) throws -> Message {
        let tree = try LooseJSONParser.parse(body)
        guard let schema = MessageSchema.named(Message.protoMessageName) else { throw CallError.payloadInvalid }
        var checker = BodyChecker()
        // Where the body is a document, it is the field of that name in the request.
        let location = Message.self == Proto.Document.self ? "document" : ""
        let strict = checker.message(tree, schema, at: location)
        guard checker.faults.violations.isEmpty else { throw checker.faults.error }
        do {
            return try Message(jsonString: strict.text)
        } catch {
            throw CallError.payloadInvalid
        }
    }

    /// Encodes one message.
    static func encode(_ message: some SwiftProtobuf.Message) throws -> [UInt8] {
        var options = JSONEncodingOptions()
        options.useDeterministicOrdering = true
        return try message.jsonUTF8Bytes(options: options)
    }

    /// Encodes the messages of a streaming call as a JSON array.
    static func encodeStream(_ messages: [some SwiftProtobuf.Message]) throws -> [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        for (index, message) in messages.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += try encode(message)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}
