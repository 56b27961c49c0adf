// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

/// Who may read an object.
///
/// There are no security rules here yet, so requests without a token are open, as in a project whose id begins with
/// `demo-`. A download token that is given must be right: a stale one in a document shows up in development.
enum StorageAccess {
    /// Whether the request carries the emulators' administrator credentials.
    static func isAdministrator(_ fields: HTTPFields) -> Bool {
        Caller(authorization: fields[.authorization]).isAdmin
    }

    /// Whether the request may read the object.
    static func mayRead(_ object: ObjectMetadata, _ call: StorageCall) -> Bool {
        guard let token = call.target["token"], !isAdministrator(call.request.headers) else { return true }
        return object.attributes.downloadTokens.contains(token)
    }
}
