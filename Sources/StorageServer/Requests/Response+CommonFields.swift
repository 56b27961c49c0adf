// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension Response {
    /// Adds the fields that an API gives to all its answers (recorded from production in 2026).
    mutating func addCommonFields(for call: StorageCall) {
        // How far an upload has come is told by the servers in front of the API, which add nothing.
        guard status.code != 308 else { return }
        if call.isFirebase { addFirebaseFields() } else { addJSONFields() }
        addCaching(for: call)
    }

    /// Media are left alone, whatever their type is.
    private mutating func addFirebaseFields() {
        guard headers[.acceptRanges] == nil else { return }
        let isJSON = headers[.contentType]?.hasPrefix("application/json") == true
        if isJSON { headers.set("X-Content-Type-Options", "nosniff") }
        if isJSON || status == .noContent { headers.allowAnyOrigin() }
    }

    private mutating func addJSONFields() {
        headers[.vary] = headers[.vary] ?? "Origin, X-Origin"
        if status == .noContent { headers[.contentType] = "application/json" }
    }
}
