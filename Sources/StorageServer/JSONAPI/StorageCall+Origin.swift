// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension StorageCall {
    /// The scheme and address under which the client reached the server, for links in answers.
    ///
    /// Taken from the request, so that links work through proxies and out of containers.
    var origin: String {
        "\(request.head.scheme ?? "http")://\(request.head.authority ?? "localhost")"
    }
}
