// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension ImageReference {
    /// The download of the image; an object's is that of the Firebase interface, and the token, where there is one, opens it.
    package func request(storage: URL) -> TransportRequest {
        var request = wholeRequest(storage: storage)
        if let prefixByteCount { request.headers["Range"] = "bytes=0-\(prefixByteCount - 1)" }
        return request
    }

    private func wholeRequest(storage: URL) -> TransportRequest {
        switch location {
        case .url(let url): return TransportRequest(method: "GET", url: url)
        case .object(let bucket, let name):
            var path = "/v0/b/\(bucket.percentEncoded)/o/\(name.percentEncoded)?alt=media"
            if let token { path += "&token=\(token.percentEncoded)" }
            return TransportRequest(method: "GET", url: storage.appending(encoded: path))
        }
    }

    /// The question for an object's metadata, which has the token that its download address needs (`getDownloadURL`);
    /// `nil` for an image that is not an object.
    package func metadataRequest(storage: URL) -> TransportRequest? {
        guard case .object(let bucket, let name) = location else { return nil }
        let path = "/v0/b/\(bucket.percentEncoded)/o/\(name.percentEncoded)"
        return TransportRequest(method: "GET", url: storage.appending(encoded: path))
    }

    /// The host whose connections the download takes.
    func host(storage: URL) -> String {
        let url =
            switch location {
            case .url(let url): url
            case .object: storage
            }
        return "\(url.host ?? ""):\(url.port ?? 0)"
    }
}
