// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension TransportRequest {
    /// Asks for the rest of an image, or for the whole of another version (RFC 9110 section 13.1.5).
    package mutating func resume(afterByteCount byteCount: Int, entityTag: String) {
        headers["Range"] = "bytes=\(byteCount)-"
        headers["If-Range"] = entityTag
    }

    /// Asks for an image only if it is another than the one with this entity tag; one without a tag is requested again.
    package mutating func revalidate(_ entityTag: String) {
        if !entityTag.isEmpty { headers["If-None-Match"] = entityTag }
    }
}

extension HeaderFields {
    /// The generation of the object that was served.
    package var servedGeneration: Int64? { self["x-goog-generation"].flatMap { Int64($0) } }
}
