// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// An image of a post in a session log whose views were inferred.
package struct SessionImage: Sendable, Hashable {
    /// 8 TiB, which no object of Cloud Storage has.
    package static let byteCountMax: Int64 = 1 << 43

    /// The object's name; `owner/feed/n`, unless the image says which post it belongs to.
    package var object: String
    /// The bytes of the image.
    package var byteCount: Int64
    /// The post that it belongs to, and its place there; `nil` where the object's name says so.
    package var place: Place?
    /// The pixels; `nil` where they are not known.
    package var pixels: SessionObject.Pixels?
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates an image line.
    package init(
        object: String,
        byteCount: Int64,
        place: Place? = nil,
        pixels: SessionObject.Pixels? = nil,
        extra: [String: JSONValue] = [:]
    ) {
        self.object = object
        self.byteCount = byteCount
        self.place = place
        self.pixels = pixels
        self.extra = extra
    }

    /// Where an image stands in a post.
    package struct Place: Sendable, Hashable {
        package var bucket: String
        /// The post's name, such as that of its document.
        package var post: String
        /// From 0, which a list shows.
        package var index: Int

        /// Creates a place.
        package init(bucket: String, post: String, index: Int) {
            self.bucket = bucket
            self.post = post
            self.index = index
        }
    }
}

extension SessionImage {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(object: try reader.string("object"), byteCount: try reader.integer("bytes"))
        guard (0...Self.byteCountMax).contains(byteCount) else {
            throw reader.problem("bytes", message: "expected an integer from 0 to \(Self.byteCountMax)")
        }
        if let post = try reader.optionalString("post") {
            place = Place(bucket: try reader.string("bucket"), post: post, index: try reader.count("n"))
        }
        pixels = try SessionObject.Pixels(&reader)
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "image", extra: extra)
        writer.add("object", object)
        writer.add("bytes", byteCount)
        if let place {
            writer.add("bucket", place.bucket)
            writer.add("post", place.post)
            writer.add("n", place.index)
        }
        pixels?.add(to: &writer)
        return writer.encoded()
    }
}
