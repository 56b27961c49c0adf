// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// One line of a session log.
package enum SessionEntry: Sendable, Hashable {
    /// The first line.
    case header(SessionHeader)
    /// A step of a user.
    case view(SessionView)
    /// An image that views show, as in a third-party log.
    case image(SessionImage)
    /// Recorded downloads with one cause, of an imported session.
    case downloads(SessionDownloads)
    /// A metered request.
    case request(SessionRequest)
    /// Bytes of a request since the line that counts it, or of none.
    case part(SessionRequest)
    /// The beginning of a recording.
    case recording(SessionRecordingStart)
    /// A document that requests read.
    case document(SessionDocument)
    /// An object that requests downloaded.
    case object(SessionObject)
    /// A request of a line before is taken back, and reported again in a later line: the kernel had taken an answer, and threw
    /// some of it away when the client went.
    case retraction(SessionRequest)
    /// A line of a type this version does not know, with its fields except `type`.
    case unknown(type: String, fields: [String: JSONValue])

    /// Reads a line without its line break; fields it does not know are kept.
    package init(line: [UInt8], lineNumber: Int) throws(SessionLogError) {
        let fields = try Self.fields(of: line, lineNumber: lineNumber)
        do throws(FieldProblem) {
            var reader = FieldReader(fields)
            let type = try reader.string("type")
            switch type {
            case "header": self = .header(try SessionHeader(&reader))
            case "view": self = .view(try SessionView(&reader))
            case "image": self = .image(try SessionImage(&reader))
            case "downloads": self = .downloads(try SessionDownloads(&reader))
            case "request": self = .request(try SessionRequest(&reader))
            case "part": self = .part(try SessionRequest(&reader).countingNothing)
            case "recording": self = .recording(try SessionRecordingStart(&reader))
            case "document": self = .document(try SessionDocument(&reader))
            case "object": self = .object(try SessionObject(&reader))
            case "retraction": self = .retraction(try SessionRequest(&reader))
            default: self = .unknown(type: type, fields: reader.fields)
            }
        } catch {
            throw .lineBroken(error.message, lineNumber: lineNumber)
        }
    }

    /// The line without its line break, its keys always in the same order.
    package func encoded() -> [UInt8] {
        switch self {
        case .header(let header): header.encoded()
        case .view(let view): view.encoded()
        case .image(let image): image.encoded()
        case .downloads(let downloads): downloads.encoded()
        case .request(let request): request.encoded(type: "request")
        case .part(let request): request.encoded(type: "part")
        case .recording(let start): start.encoded()
        case .document(let document): document.encoded()
        case .object(let object): object.encoded()
        case .retraction(let request): request.encoded(type: "retraction")
        case .unknown(let type, let fields): FieldWriter(type: type, extra: fields).encoded()
        }
    }

    private static func fields(of line: [UInt8], lineNumber: Int) throws(SessionLogError) -> [String: JSONValue] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            throw .lineBroken(error.description, lineNumber: lineNumber)
        }
        guard case .object(var fields) = value else {
            throw .lineBroken("expected a JSON object", lineNumber: lineNumber)
        }
        if fields["type"] == .string("header") {
            // Before anything else: another version may use other fields.
            let schema = fields.removeValue(forKey: "schema")?.string
            guard schema == SessionHeader.schema else {
                throw .schemaUnsupported(schema, lineNumber: lineNumber)
            }
        }
        return fields
    }
}
