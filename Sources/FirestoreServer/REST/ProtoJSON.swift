// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import JSON
import SwiftProtobuf
import Wire

/// The JSON form of messages, one codec for requests and answers.
///
/// Answers are compact, unless the client asks otherwise, and their map keys sorted, so equal answers are equal bytes.
enum ProtoJSON {
    /// Decodes a request; an empty body stands for the empty message, as SDKs send it.
    ///
    /// - Throws: `CallError` (invalid argument) in production's words.
    static func decode<Message: SwiftProtobuf.Message>(_ body: [UInt8], as type: Message.Type) throws -> Message {
        if body.isEmpty { return Message() }
        // Nearly every body is strict; the others are gone through once more, to read or to refuse them like Google.
        return try (try? Message(jsonUTF8Bytes: EscapedPairs.resolved(in: body))) ?? decodeLoosely(body)
    }

    private static func decodeLoosely<Message: SwiftProtobuf.Message>(_ body: [UInt8]) throws -> Message {
        let tree: JSONTree
        do {
            tree = try LooseJSONParser.parse(body)
        } catch let error as LooseJSONError {
            throw CallError.jsonInvalid(error.message)
        }
        guard let schema = MessageSchema.named(Message.protoMessageName) else { throw CallError.payloadInvalid }
        var checker = BodyChecker()
        // Where the body is a document, it is the field of that name in the request.
        let location = Message.self == Proto.Document.self ? "document" : ""
        let strict = checker.message(tree, schema: schema, at: location)
        guard checker.faults.violations.isEmpty else { throw checker.faults.error }
        do {
            return try Message(jsonString: strict.text)
        } catch {
            throw CallError.payloadInvalid
        }
    }

    /// Encodes the one message of an answer.
    static func encode(_ message: some SwiftProtobuf.Message, in form: AnswerForm) throws -> [UInt8] {
        let json = try element(message, in: form)
        return form.callback == nil ? json : form.opening.utf8 + json + form.closing.utf8
    }

    /// Encodes a message for a client that wants it as it is.
    static func compact(_ message: some SwiftProtobuf.Message) throws -> [UInt8] {
        try element(message, in: AnswerForm(isIndented: false))
    }

    /// Encodes a message without what surrounds it in an answer.
    static func element(_ message: some SwiftProtobuf.Message, in form: AnswerForm) throws -> [UInt8] {
        var options = JSONEncodingOptions()
        options.useDeterministicOrdering = true
        options.alwaysPrintEnumsAsInts = form.enumsAreIntegers
        let compact: [UInt8] = try message.jsonUTF8Bytes(options: options)
        if !form.isIndented, form.fields.isEverything { return compact }
        // SwiftProtobuf neither indents nor selects.
        let selected = JSONText(try LooseJSONParser.parse(compact)).selecting(form.fields)
        return Array(selected.rendered(isIndented: form.isIndented).utf8)
    }
}
