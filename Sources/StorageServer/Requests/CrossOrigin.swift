// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension HTTPFields {
    /// The header fields of the v0 API's answers that production exposes, with or without an origin (recorded 2026).
    private static let exposedToAll = "Content-Range, X-Firebase-Storage-XSRF"
    /// The header fields that browsers may read: what production exposes plus the upload protocol's fields.
    private static let exposed = [
        "Content-Range", "Content-Type", "ETag", "X-Firebase-Storage-Version", "X-Firebase-Storage-XSRF",
        "X-Goog-Generation", "X-Goog-Hash", "X-Goog-Metageneration", "X-Goog-Upload-Chunk-Granularity",
        "X-Goog-Upload-Command", "X-Goog-Upload-Control-URL", "X-Goog-Upload-Header-Content-Length",
        "X-Goog-Upload-Header-Content-Type", "X-Goog-Upload-Protocol", "X-Goog-Upload-Size-Received",
        "X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-GUpload-UploadID",
    ].joined(separator: ", ")

    /// Lets pages of every origin read the answer, unless it says already which may.
    mutating func allowAnyOrigin(exposing names: String = exposedToAll) {
        guard self[.accessControlAllowOrigin] == nil else { return }
        self[.accessControlAllowOrigin] = "*"
        self[.accessControlExposeHeaders] = names
    }

    /// Lets a page of any origin read the answer.
    mutating func allowCrossOrigin(for request: Request) {
        guard let origin = request.headers[.origin] else { return }
        self[.accessControlAllowOrigin] = origin
        self[.accessControlExposeHeaders] = Self.exposed
        self[.vary] = self[.vary] ?? "Origin"
    }
}

extension HTTPFields {
    /// Sets a field whose name or value may come from a client; one that HTTP cannot carry is left out.
    mutating func set(_ name: String, to value: String) {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return }
        self[name] = value
    }

    /// Leaves a field out, by a name that the HTTP library does not know.
    mutating func remove(_ name: String) {
        if let name = HTTPField.Name(name) { self[name] = nil }
    }
}
