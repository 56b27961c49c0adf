// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// An image of a post in a session log whose views were inferred.
package struct SessionImage: Sendable, Hashable {
    /// 8 TiB, which no object of Cloud Storage has.
    package static let byteCountMax: Int64 = 1 << 43

    /// The object's name, `owner/feed/n`.
    package var object: String
    /// The bytes of the image.
    package var byteCount: Int64
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates an image line.
    package init(object: String, byteCount: Int64, extra: [String: JSONValue] = [:]) {
        self.object = object
        self.byteCount = byteCount
        self.extra = extra
    }
}

extension SessionImage {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(object: try reader.string("object"), byteCount: try reader.integer("bytes"))
        guard (0...Self.byteCountMax).contains(byteCount) else {
            throw reader.problem("bytes", message: "expected an integer from 0 to \(Self.byteCountMax)")
        }
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "image", extra: extra)
        writer.add("object", object)
        writer.add("bytes", byteCount)
        return writer.encoded()
    }
}
