// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

/// The access control lists that have names.
///
/// Source: https://cloud.google.com/storage/docs/access-control/lists#predefined-acl (2026-11).
enum PredefinedAccess {
    /// Returns what a list grants on an object; `nil` without a name.
    static func object(_ name: String?, for call: StorageCall) throws(StorageFailure) -> [AccessControl]? {
        guard let name else { return nil }
        let own = [AccessControl(entity: call.owner ?? projectOwners, role: "OWNER")]
        switch name {
        case "private": return own
        case "projectPrivate": return AccessControl.projectPrivate + (call.owner == nil ? [] : own)
        case "publicRead": return own + [AccessControl(entity: "allUsers", role: "READER")]
        case "authenticatedRead": return own + [AccessControl(entity: "allAuthenticatedUsers", role: "READER")]
        case "bucketOwnerRead": return own + [AccessControl(entity: projectOwners, role: "READER")]
        case "bucketOwnerFullControl": return own + [AccessControl(entity: projectOwners, role: "OWNER")]
        default: throw .unknownAccess(name)
        }
    }

    /// Returns what a list grants on a bucket; `nil` without a name.
    static func bucket(_ name: String?, for call: StorageCall) throws(StorageFailure) -> [AccessControl]? {
        guard let name else { return nil }
        let own = [AccessControl(entity: projectOwners, role: "OWNER")]
        switch name {
        // The latter two are names for objects, which clients send for buckets too (Google's retry suite does).
        case "private", "bucketOwnerRead", "bucketOwnerFullControl": return own
        case "projectPrivate": return AccessControl.projectPrivate
        case "publicRead": return own + [AccessControl(entity: "allUsers", role: "READER")]
        case "publicReadWrite": return own + [AccessControl(entity: "allUsers", role: "WRITER")]
        case "authenticatedRead": return own + [AccessControl(entity: "allAuthenticatedUsers", role: "READER")]
        default: throw .unknownAccess(name)
        }
    }

    private static let projectOwners = "project-owners-\(JSONAPI.projectNumber)"
}

extension StorageCall {
    /// The entity that makes the request, as access control lists name it; `nil` when its token does not say.
    var owner: String? {
        caller.email.map { "user-\($0)" }
    }
}

extension StorageFailure {
    fileprivate static func unknownAccess(_ name: String) -> Self {
        Self(status: 400, message: "Invalid predefined ACL '\(name)'.", reason: "invalidParameter")
    }
}
