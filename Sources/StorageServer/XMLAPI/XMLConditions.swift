// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

/// The preconditions of a request to the XML API on the object it reads or changes.
struct XMLConditions: Sendable {
    /// The version; `nil` for the live one.
    let generation: Int64?
    let preconditions: ObjectPreconditions
    private let fields: HTTPFields

    /// Reads `generation=` and the header fields `x-goog-if-generation-match` and `x-goog-if-metageneration-match`.
    init(_ call: StorageCall) throws(XMLFailure) {
        generation = try Self.number(call.target["generation"], of: "generation")
        preconditions = ObjectPreconditions(
            ifGenerationMatch: try Self.number("x-goog-if-generation-match", in: call),
            ifMetagenerationMatch: try Self.number("x-goog-if-metageneration-match", in: call)
        )
        fields = call.request.headers
    }

    /// Reads a copy's preconditions on its source, all of it in header fields.
    init(ofSource call: StorageCall) throws(XMLFailure) {
        generation = try Self.number("x-goog-copy-source-generation", in: call)
        preconditions = ObjectPreconditions(
            ifGenerationMatch: try Self.number("x-goog-copy-source-if-generation-match", in: call),
            ifMetagenerationMatch: try Self.number("x-goog-copy-source-if-metageneration-match", in: call)
        )
        var fields = HTTPFields()
        fields[.ifMatch] = call["x-goog-copy-source-if-match"]
        self.fields = fields
    }

    /// Throws unless an object may be read.
    func judge(_ object: ObjectMetadata) throws(XMLFailure) {
        guard preconditions.failure(for: object) == nil, isCurrent(object) else { throw .preconditionFailed }
    }

    /// Whether `If-Match`, or without it `If-Unmodified-Since`, holds (RFC 9110 section 13.2.2).
    private func isCurrent(_ object: ObjectMetadata) -> Bool {
        if let tags = fields[.ifMatch] {
            return EntityTags(tags).contains(MediaForm.xml(isPublic: true).entityTag(of: object))
        }
        guard let date = fields[.ifUnmodifiedSince].flatMap(UTCTime.seconds(http:)) else { return true }
        return object.updated / 1_000_000 <= date
    }

    private static func number(_ name: String, in call: StorageCall) throws(XMLFailure) -> Int64? {
        try number(call[name], of: name)
    }

    private static func number(_ text: String?, of name: String) throws(XMLFailure) -> Int64? {
        guard let text else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .invalidArgument("\(name) must be a whole number that is not negative.")
        }
        return number
    }
}
