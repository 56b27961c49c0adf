// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import ObjectStore
import Wire

extension ObjectMetadata {
    /// The object as the Firebase v0 API describes it, which knows no customers' keys.
    var firebaseResource: JSONText {
        let own: [(String, JSONText?)] = [
            ("contentEncoding", .string(attributes.contentEncoding ?? "identity")),
            ("downloadTokens", .string(attributes.downloadTokens.joined(separator: ","))),
            ("metadata", .texts(attributes.customMetadata)),
        ]
        return .object(compacting: commonMembers(hasKey: false) + own)
    }
}
