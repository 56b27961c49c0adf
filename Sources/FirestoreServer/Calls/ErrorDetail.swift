// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The details of an error for programs: a message of `google.rpc` (error_details.proto).
package enum ErrorDetail: Sendable, Equatable {
    /// A reason of one domain.
    case info(reason: String, metadata: [String: String] = [:])
    /// The parts of a request that are wrong.
    case badRequest([FieldViolation])
    /// Pages to read.
    case help([HelpLink])

    /// One part of a request that is wrong.
    package struct FieldViolation: Sendable, Equatable {
        /// A path in the declared names; empty for the whole request.
        package var field: String
        /// The problem.
        package var description: String

        package init(field: String, description: String) {
            self.field = field
            self.description = description
        }
    }

    /// One page to read.
    package struct HelpLink: Sendable, Equatable {
        /// The subject of the page.
        package var description: String
        /// Where the page is.
        package var url: String

        package init(description: String, url: String) {
            self.description = description
            self.url = url
        }
    }

    /// Whose reasons these are.
    static let domain = "firestore.googleapis.com"

    /// The message's type, as `google.protobuf.Any` names it.
    var typeURL: String { "type.googleapis.com/google.rpc.\(typeName)" }

    private var typeName: String {
        switch self {
        case .info: "ErrorInfo"
        case .badRequest: "BadRequest"
        case .help: "Help"
        }
    }

    /// The JSON form, as it stands in the `details` of an answer.
    var json: JSONText {
        switch self {
        case .info(let reason, let metadata):
            let sorted = metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONText.string($0.value)) }
            return object([
                ("reason", .string(reason)), ("domain", .string(Self.domain)),
                ("metadata", sorted.isEmpty ? nil : .object(sorted)),
            ])
        case .badRequest(let violations):
            return object([("fieldViolations", .array(violations.map(\.json)))])
        case .help(let links):
            return object([("links", .array(links.map(\.json)))])
        }
    }

    private func object(_ members: [(String, JSONText?)]) -> JSONText {
        .object(compacting: [("@type", .string(typeURL))] + members)
    }
}

extension ErrorDetail.FieldViolation {
    fileprivate var json: JSONText {
        .object(compacting: [
            ("field", field.isEmpty ? nil : .string(field)), ("description", .string(description)),
        ])
    }
}

extension ErrorDetail.HelpLink {
    fileprivate var json: JSONText {
        .object([("description", .string(description)), ("url", .string(url))])
    }
}

/// Writes the few messages of error details: strings and messages of strings (protobuf.dev, "Encoding").
struct DetailEncoder {
    private(set) var bytes: [UInt8] = []

    /// Appends a field with a length; an empty string is left out, as its field is then unset.
    mutating func append(_ text: String, number: UInt8) {
        if !text.isEmpty { append(Array(text.utf8), number: number) }
    }

    /// Appends a message.
    mutating func append(_ number: UInt8, _ content: (inout DetailEncoder) -> Void) {
        var inner = DetailEncoder()
        content(&inner)
        append(inner.bytes, number: number)
    }

    private mutating func append(_ content: [UInt8], number: UInt8) {
        let lengthDelimited: UInt8 = 2
        bytes.append(number << 3 | lengthDelimited)
        var length = content.count
        while length >= 0x80 {
            bytes.append(UInt8(length & 0x7F | 0x80))
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes += content
    }
}

extension ErrorDetail {
    /// The message's bytes, as `google.protobuf.Any` holds them.
    var protobuf: [UInt8] {
        var encoder = DetailEncoder()
        switch self {
        case .info(let reason, let metadata):
            encoder.append(reason, number: 1)
            encoder.append(Self.domain, number: 2)
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                encoder.append(3) { entry in
                    entry.append(key, number: 1)
                    entry.append(value, number: 2)
                }
            }
        case .badRequest(let violations):
            for violation in violations {
                encoder.append(1) { message in
                    message.append(violation.field, number: 1)
                    message.append(violation.description, number: 2)
                }
            }
        case .help(let links):
            for link in links {
                encoder.append(1) { message in
                    message.append(link.description, number: 1)
                    message.append(link.url, number: 2)
                }
            }
        }
        return encoder.bytes
    }
}
