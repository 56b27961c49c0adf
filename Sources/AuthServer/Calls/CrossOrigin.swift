// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension HTTPFields {
    /// Lets a page of any origin call and read: no answer depends on cookies.
    mutating func allowCrossOrigin(for request: Request) {
        guard let origin = request.headers[.origin] else { return }
        self[.accessControlAllowOrigin] = origin
        self[.vary] = "Origin"
    }
}
