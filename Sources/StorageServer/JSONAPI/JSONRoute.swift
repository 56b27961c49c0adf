// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// What a request to Google's JSON API asks for.
enum JSONRoute: Equatable {
    /// What is done to a bucket.
    enum BucketAction: String {
        case get, patch, update, delete, restore, lockRetentionPolicy
        /// gcloud asks for it before it lists; a part of `get`.
        case getStorageLayout
    }

    /// What is done to a version of an object.
    enum ObjectAction: String {
        case get, patch, update, delete, restore
        /// `get` with `alt=media`.
        case download
    }

    /// What is done to a bucket's policy.
    enum PolicyAction: String {
        case getIamPolicy, setIamPolicy, testIamPermissions
    }

    /// What an access control list is about.
    enum AccessScope: Equatable {
        case bucket(BucketName)
        case defaultObject(BucketName)
        case object(ObjectPath)
    }

    /// What is done to a list, or to the member of a name.
    enum ListAction: Equatable {
        case list, insert
        case get(String)
        case patch(String)
        case update(String)
        case delete(String)
    }

    case listBuckets
    case createBucket
    case bucket(BucketName, BucketAction)
    case policy(BucketName, PolicyAction)
    case accessControls(AccessScope, ListAction)
    case notifications(BucketName, ListAction)
    case folders(BucketName, ListAction)
    case listObjects(BucketName)
    case upload(BucketName, ObjectName?)
    case object(ObjectPath, ObjectAction)
    case compose(ObjectPath)
    case copy(ObjectPath, to: ObjectPath)
    case rewrite(ObjectPath, to: ObjectPath)
    case move(ObjectPath, to: ObjectPath)
    case hmacKeys(project: String, ListAction)
    case serviceAccount(project: String)
}
