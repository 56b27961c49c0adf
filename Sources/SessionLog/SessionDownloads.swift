// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Recorded downloads of one object, or answers of one list, that have a cause and a place in common: lines of an imported
/// session, which add up to the part of its log that views explain.
package struct SessionDownloads: Sendable, Hashable, Codable {
    /// Why the bytes were sent, in a word of `RecordedCause`.
    package var cause: String
    package var place: Place
    /// The name of the object; `nil` for answers.
    package var object: String?
    /// Its pixels across, upright; `nil` where they are not known.
    package var pixelWidth: Int?
    /// The bytes of the bodies.
    package var byteCount: Int64
    package var responseCount: Int64
    /// The billed document reads of answers.
    package var documentReads: Int64
    /// Fields this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// Creates a line.
    package init(
        cause: String,
        place: Place,
        object: String? = nil,
        pixelWidth: Int? = nil,
        byteCount: Int64,
        responseCount: Int64,
        documentReads: Int64 = 0
    ) {
        (self.cause, self.place, self.object, self.pixelWidth) = (cause, place, object, pixelWidth)
        (self.byteCount, self.responseCount, self.documentReads) = (byteCount, responseCount, documentReads)
    }

    /// Where the downloads were shown.
    package enum Place: Sendable, Hashable, Codable {
        /// A page of a list, by the list's name.
        case list(String, page: Int)
        /// Posts that no list brought.
        case withoutList
        /// An opened post.
        case openedPost
    }

    private enum CodingKeys: CodingKey {
        case cause, place, object, pixelWidth, byteCount, responseCount, documentReads
    }
}

extension SessionDownloads {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(
            cause: try reader.string("cause"),
            place: try Place(&reader),
            object: try reader.optionalString("object"),
            pixelWidth: try reader.optionalCount("pixelWidth", in: SessionObject.Pixels.sideRange),
            byteCount: try reader.integer("bytes", in: FieldReader.sumRange),
            responseCount: try reader.integer("responses", in: FieldReader.sumRange),
            documentReads: try reader.optionalInteger("documentReads") ?? 0
        )
        guard FieldReader.sumRange.contains(documentReads) else {
            throw reader.outOfRange("documentReads", range: FieldReader.sumRange)
        }
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "downloads", extra: extra)
        writer.add("cause", cause)
        place.add(to: &writer)
        writer.add("object", object)
        if let pixelWidth { writer.add("pixelWidth", pixelWidth) }
        writer.add("bytes", byteCount)
        writer.add("responses", responseCount)
        if documentReads != 0 { writer.add("documentReads", documentReads) }
        return writer.encoded()
    }
}

extension SessionDownloads.Place {
    /// The places, by the names that logs have for them.
    private enum Kind: String, CaseIterable {
        case list, post
    }

    fileprivate init(_ reader: inout FieldReader) throws(FieldProblem) {
        switch try reader.choice("place", of: Kind.self) {
        case .post: self = .openedPost
        case .list:
            guard let list = try reader.optionalString("list") else {
                self = .withoutList
                return
            }
            self = .list(list, page: try reader.count("page"))
        }
    }

    fileprivate func add(to writer: inout FieldWriter) {
        switch self {
        case .openedPost: writer.add("place", Kind.post.rawValue)
        case .withoutList: writer.add("place", Kind.list.rawValue)
        case .list(let name, let page):
            writer.add("place", Kind.list.rawValue)
            writer.add("list", name)
            writer.add("page", page)
        }
    }
}
