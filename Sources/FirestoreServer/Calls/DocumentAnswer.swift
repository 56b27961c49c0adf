// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

/// An answer around a stored document, which is encoded only in the form the caller wants.
///
/// The store keeps fields in the protocol's own form: over gRPC they are sent as they are, never decoded.
struct DocumentAnswer<Message: DocumentCarrying>: Sendable {
    var document: Document?
    /// The time of the read.
    var readTime: Timestamp?
    /// The further contents of the answer.
    var rest: Message?
    let database: DatabaseID

    init(_ document: Document? = nil, readTime: Timestamp? = nil, rest: Message? = nil, in database: DatabaseID) {
        self.document = document
        self.readTime = readTime
        self.rest = rest
        self.database = database
    }

    /// The whole answer.
    var whole: Message {
        get throws {
            var whole = rest ?? Message()
            if let document { whole.carry(try Proto.Document(document, in: database)) }
            if let readTime { whole.readTime = Google_Protobuf_Timestamp(readTime) }
            return whole
        }
    }

    /// The whole answer in the wire format.
    func serialized() throws -> [UInt8] {
        let rest: [UInt8] = try rest?.serializedBytes() ?? []
        var writer = WireWriter(capacity: rest.count + (document?.byteCountGuess ?? 0) + Self.readTimeByteCountMax)
        writer.append(encoded: rest)
        if let document { try writer.append(Message.documentTag, document: document, in: database) }
        if let readTime { writer.append(Message.readTimeTag, time: readTime) }
        return writer.bytes
    }

    private static var readTimeByteCountMax: Int { 20 }
}

/// A message with a document in one of its fields, and the time of the read in another.
protocol DocumentCarrying: SwiftProtobuf.Message {
    /// The tag of the document's field.
    static var documentTag: UInt64 { get }
    /// The tag of the time's field.
    static var readTimeTag: UInt64 { get }

    var readTime: Google_Protobuf_Timestamp { get set }

    /// Puts the document in its field.
    mutating func carry(_ document: Proto.Document)
}

extension Proto.RunQueryResponse: DocumentCarrying {
    static var documentTag: UInt64 { 1 << 3 | WireTag.delimited }
    static var readTimeTag: UInt64 { 3 << 3 | WireTag.delimited }

    mutating func carry(_ document: Proto.Document) {
        self.document = document
    }
}

extension Proto.BatchGetDocumentsResponse: DocumentCarrying {
    static var documentTag: UInt64 { 1 << 3 | WireTag.delimited }
    static var readTimeTag: UInt64 { 4 << 3 | WireTag.delimited }

    mutating func carry(_ document: Proto.Document) {
        found = document
    }
}

/// Makes ids for documents that are created without one.
package enum DocumentIDGenerator {
    /// SDKs and servers alike make 20 characters of this alphabet, about 119 bits.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    private static let length = 20

    /// Returns a fresh id from the system's randomness.
    package static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return randomID(using: &generator)
    }

    /// Returns an id from the given randomness.
    package static func randomID(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
    }
}

/// The answer to a call that writes: most are ready at once, some have to wait for transactions.
package enum WriteAnswer<Response: Sendable>: Sendable {
    case ready(Response)
    /// Has to be called, if only to be cancelled: until then the commit holds up others.
    case waiting(@Sendable () async throws -> Response)

    /// The answer with another form of the answer.
    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Response) throws -> Other
    ) rethrows -> WriteAnswer<Other> {
        switch self {
        case .ready(let response): .ready(try transform(response))
        case .waiting(let finish): .waiting { try transform(try await finish()) }
        }
    }

    /// The answer, waited for if need be.
    package func value() async throws -> Response {
        switch self {
        case .ready(let response): response
        case .waiting(let finish): try await finish()
        }
    }
}
