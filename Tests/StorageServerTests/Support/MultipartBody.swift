// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A `multipart/related` body as the SDKs send it.
struct MultipartBody {
    var metadata = "{}"
    var content = "hello world"
    var lineEnd = "\r\n"
    var mediaHeader = "Content-Type: text/plain"

    static let boundary = "00418"
    static let headers = ["X-Goog-Upload-Protocol": "multipart", "Content-Type": "multipart/related; boundary=00418"]

    var text: String {
        let lines = [
            "--\(Self.boundary)", "Content-Type: application/json; charset=utf-8", "", metadata,
            "--\(Self.boundary)", mediaHeader, "", content,
            "--\(Self.boundary)--", "",
        ]
        return lines.joined(separator: lineEnd)
    }
}
