// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The form of an access log's lines, in the words of nginx (`log_format`) or Apache (`LogFormat`).
///
/// A line is a sequence of fields with fixed characters between them; a field ends where the characters after it begin.
package struct AccessLogFormat: Sendable, Hashable {
    /// The meaning of a field.
    enum Field: Sendable, Hashable {
        case address
        case time(AccessLogTime)
        case request
        case method
        case target
        case query
        case host
        case status
        /// The bytes of the body, or of body and head; the first that a format has counts.
        case byteCount
        case agent
        case requestID
        case ignored
    }

    /// A part of a line.
    enum Piece: Sendable, Hashable {
        case literal([UInt8])
        case field(Field)
    }

    /// The name in messages.
    let name: String
    /// The parts; no two fields are side by side but a host and its path, nor two literals.
    let pieces: [Piece]
    /// How many of the parts a line must have; what comes behind may be missing.
    let requiredCount: Int

    /// Names of formats.
    package static let names = ["combined", "common", "vhost_combined"]

    /// The format that nginx and Apache call combined; what comes behind the bytes may be missing.
    package static let combined = shipped("combined")

    /// Reads a format, or finds one by its name.
    package init(_ text: String) throws(AccessLogFormatError) {
        let text = Self.unquoted(text)
        try self.init(name: text, pieces: try AccessLogFormatParser(Self.known[text] ?? text).pieces())
    }

    private init(name: String, pieces: [Piece]) throws(AccessLogFormatError) {
        self.name = name
        self.pieces = pieces
        func last(_ isWanted: (Field) -> Bool) -> Int? {
            pieces.lastIndex { if case .field(let field) = $0 { isWanted(field) } else { false } }
        }
        guard let time = last({ if case .time = $0 { true } else { false } }) else {
            throw AccessLogFormatError("the format tells no time: it needs $time_local or %t")
        }
        guard let request = last({ $0 == .request || $0 == .target }) else {
            throw AccessLogFormatError("the format tells no request: it needs $request, $request_uri, %r or %U")
        }
        let others = [last { $0 == .status }, last { $0 == .byteCount }].compactMap { $0 }
        requiredCount = ([time, request] + others).reduce(0, max) + 1
    }

    private static let known = [
        "common": #"%h %l %u %t "%r" %>s %b"#,
        "combined": #"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i""#,
        "vhost_combined": #"%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-agent}i""#,
    ]

    private static func shipped(_ name: String) -> AccessLogFormat {
        guard let format = try? AccessLogFormat(name) else { preconditionFailure("\(name) ships, and is right") }
        return format
    }

    /// The text as it is meant where it was copied with the quotes of a configuration.
    private static func unquoted(_ text: String) -> String {
        var text = text
        for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            let inside = text.dropFirst().dropLast()
            // A format may begin and end with a quote of its own.
            if quote == "'" || inside.contains("\\\"") { text = String(inside) }
        }
        return text.replacing("\\\"", with: "\"").replacing("\\t", with: "\t")
    }
}

/// A problem in the format of an access log.
package struct AccessLogFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
