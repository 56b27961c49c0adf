// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The beginning of a recording: an emulator started, and numbers documents from 1.
package struct SessionRecordingStart: Sendable, Hashable {
    /// The key of the hashes of the lines up to the next recording; see ``MentionHash``.
    package var hashKey: String
    /// Whether the emulator that wrote the file before continues here, and its numbers of addresses and connections.
    package var isContinued: Bool
    /// Fields this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// Creates the line.
    package init(hashKey: String, isContinued: Bool = false) {
        self.hashKey = hashKey
        self.isContinued = isContinued
    }
}

/// A version of a document that a request read, without its contents.
package struct SessionDocument: Sendable, Hashable {
    /// The number that requests of the recording name it by.
    package var number: Int
    /// The project and database, as `project/database`.
    package var database: String
    /// The name below the database's, such as `posts/p1`.
    package var path: String
    /// Microseconds since the Unix epoch at which it was last written.
    package var updatedAt: Int64
    /// The bytes that count against the limit of a document.
    package var byteCount: Int64
    /// The hashes of its fields' texts that may name objects, by the fields' paths, in the order of the document.
    package var mentions: [String: [String]]
    /// Fields this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// Creates the line.
    package init(
        number: Int,
        database: String,
        path: String,
        updatedAt: Int64,
        byteCount: Int64,
        mentions: [String: [String]] = [:]
    ) {
        self.number = number
        self.database = database
        self.path = path
        self.updatedAt = updatedAt
        self.byteCount = byteCount
        self.mentions = mentions
    }
}

/// A generation of an object that a request downloaded, without its bytes.
package struct SessionObject: Sendable, Hashable {
    /// The pixels of an image.
    package struct Pixels: Sendable, Hashable {
        /// As stored, before any rotation.
        package var width: Int
        package var height: Int
        /// The EXIF orientation, 1 to 8.
        package var orientation: Int

        /// The width as shown, after the rotation.
        package var uprightWidth: Int { orientation > 4 ? height : width }
        /// The height as shown.
        package var uprightHeight: Int { orientation > 4 ? width : height }

        /// Creates the size of an image.
        package init(width: Int, height: Int, orientation: Int = 1) {
            self.width = width
            self.height = height
            self.orientation = orientation
        }
    }

    package var bucket: String
    /// The name.
    package var object: String
    package var generation: Int64
    /// The bytes of its contents as they are stored.
    package var byteCount: Int64
    package var contentType: String?
    /// `nil` where the object is not an image whose size is known.
    package var pixels: Pixels?
    /// Fields this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// Creates the line.
    package init(
        bucket: String,
        object: String,
        generation: Int64,
        byteCount: Int64,
        contentType: String? = nil,
        pixels: Pixels? = nil
    ) {
        self.bucket = bucket
        self.object = object
        self.generation = generation
        self.byteCount = byteCount
        self.contentType = contentType
        self.pixels = pixels
    }
}

extension SessionRecordingStart {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(hashKey: try reader.string("hashKey"), isContinued: try reader.flag("continued"))
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "recording", extra: extra)
        writer.add("hashKey", hashKey)
        if isContinued { writer.add("continued", .bool(true)) }
        return writer.encoded()
    }
}

extension SessionDocument {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(
            number: try reader.count("number"),
            database: try reader.string("database"),
            path: try reader.string("path"),
            updatedAt: try reader.integer("updatedAt"),
            byteCount: try reader.integer("bytes")
        )
        guard (0...SessionImage.byteCountMax).contains(byteCount) else {
            throw reader.problem("bytes", message: "expected an integer from 0 to \(SessionImage.byteCountMax)")
        }
        let fields = try reader.nested("mentions") { (inner) throws(FieldProblem) in
            var mentions: [String: [String]] = [:]
            for field in inner.fields.keys { mentions[field] = try inner.strings(field) }
            return mentions
        }
        mentions = fields ?? [:]
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "document", extra: extra)
        writer.add("number", number)
        writer.add("database", database)
        writer.add("path", path)
        writer.add("updatedAt", updatedAt)
        writer.add("bytes", byteCount)
        if !mentions.isEmpty {
            writer.add("mentions", object: mentions.mapValues { .array($0.map(JSONValue.string)) })
        }
        return writer.encoded()
    }
}

extension SessionObject {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(
            bucket: try reader.string("bucket"),
            object: try reader.string("object"),
            generation: try reader.integer("generation"),
            byteCount: try reader.integer("bytes"),
            contentType: try reader.optionalString("contentType")
        )
        guard (0...SessionImage.byteCountMax).contains(byteCount) else {
            throw reader.problem("bytes", message: "expected an integer from 0 to \(SessionImage.byteCountMax)")
        }
        pixels = try Pixels(&reader)
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "object", extra: extra)
        writer.add("bucket", bucket)
        writer.add("object", object)
        writer.add("generation", generation)
        writer.add("bytes", byteCount)
        writer.add("contentType", contentType)
        pixels?.add(to: &writer)
        return writer.encoded()
    }
}

extension SessionObject.Pixels {
    static let sideRange = 1...1_000_000

    init?(_ reader: inout FieldReader) throws(FieldProblem) {
        guard let width = try reader.optionalCount("pixelWidth", in: Self.sideRange) else { return nil }
        self.init(
            width: width,
            height: try reader.count("pixelHeight", in: Self.sideRange),
            orientation: try reader.optionalCount("orientation", in: 1...8) ?? 1
        )
    }

    func add(to writer: inout FieldWriter) {
        writer.add("pixelWidth", width)
        writer.add("pixelHeight", height)
        if orientation != 1 { writer.add("orientation", orientation) }
    }
}
