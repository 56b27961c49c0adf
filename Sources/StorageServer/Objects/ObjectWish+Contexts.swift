// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONReading
import ObjectStore

extension ObjectWish {
    /// Changes the labels that the client names; the server adds since when they are so.
    ///
    /// Source: https://cloud.google.com/storage/docs/object-contexts (2026-11).
    func applyContexts(to attributes: inout ObjectAttributes, now: Int64) throws(StorageFailure) {
        guard let wish = members["contexts"] else { return }
        guard wish != .null, let custom = wish["custom"], custom != .null else {
            attributes.contexts = [:]
            return
        }
        for (key, label) in custom.members {
            guard label != .null, let value = label["value"], value != .null else {
                attributes.contexts[key] = nil
                continue
            }
            guard let text = value.string else { throw .invalidMember("contexts.custom.\(key)") }
            let former = attributes.contexts[key]
            guard former?.value != text else { continue }
            attributes.contexts[key] = ObjectContext(
                value: text,
                timeCreated: former?.timeCreated ?? now,
                timeUpdated: now
            )
        }
    }
}
