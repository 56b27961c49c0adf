// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The media type that production's v0 API guesses for bytes which are declared as nothing in particular.
///
/// A simple upload of `application/octet-stream` named `a.txt` becomes `text/plain`, one named `a.bin` stays as it is
/// (recorded 2026: t-k/fireemu, `storage-object-production/firebase--list.json` and `firebase--simple-upload.json`).
/// Google's upload servers pass on a "best guess" beside the type from the "request headers, multipart headers, or RUPIO
/// start request" and the one of "the file extension of the URL path" (`GdataContentTypeInfo` in the discovery document
/// of Firebase App Distribution, 2026-11). A type in the object's description is kept, `application/octet-stream`
/// included, as users of the Web SDK report, which always describes one (firebase/flutterfire#17651, 2025-08).
enum MediaTypeGuess {
    /// Production's whole table is not known: this is what apps store, with the types of IANA's registry as Debian lists
    /// them (`/etc/mime.types` of the package media-types 10.0.0).
    private static let types = [
        "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv", "gif": "image/gif",
        "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
        "tif": "image/tiff", "tiff": "image/tiff", "txt": "text/plain", "wav": "audio/x-wav", "webm": "video/webm",
        "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    /// Returns the type of bytes that the media part or the request declares as `declared`; `nil` where neither that nor
    /// the name says anything.
    static func type(declaredAs declared: String?, named name: ObjectName) -> String? {
        guard (declared ?? ObjectAttributes.contentTypeDefault).lowercased() == ObjectAttributes.contentTypeDefault,
            let fileExtension = fileExtension(of: name)
        else { return declared }
        return types[fileExtension] ?? declared
    }

    /// The text behind the last dot of the last segment, in lower case; `nil` without a dot behind a first character.
    private static func fileExtension(of name: ObjectName) -> String? {
        let file = name.description.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        return file[file.index(after: dot)...].lowercased()
    }
}
