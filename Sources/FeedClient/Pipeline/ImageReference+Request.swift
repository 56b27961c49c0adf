// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImageReference {
    /// The download of the object through the Firebase interface; the token, where there is one, opens it.
    func request(storage: URL) -> TransportRequest {
        var path = "/v0/b/\(bucket.percentEncoded)/o/\(objectName.percentEncoded)?alt=media"
        if let token { path += "&token=\(token.percentEncoded)" }
        return TransportRequest(method: "GET", url: storage.appending(encoded: path))
    }
}
