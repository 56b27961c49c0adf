// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

/// A request to Google's JSON API.
enum JSONRoute: Equatable, StorageRoute {
    /// An action on a bucket.
    enum BucketAction: String {
        case get, patch, update, delete, restore, lockRetentionPolicy
        /// gcloud asks for it before it lists; a part of `get`.
        case getStorageLayout
    }

    /// An action on a version of an object.
    enum ObjectAction: String {
        case get, patch, update, delete, restore
        /// `get` with `alt=media`.
        case download
    }

    /// An action on a bucket's policy.
    enum PolicyAction: String {
        case getIamPolicy, setIamPolicy, testIamPermissions
    }

    /// The scope of an access control list.
    enum AccessScope: Equatable {
        case bucket(BucketName)
        case defaultObject(BucketName)
        case object(ObjectPath)
    }

    /// An action on a list, or on its member of a name.
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
    /// A request of a resumable upload behind the first.
    case continueUpload(BucketName, ObjectName?)
    case object(ObjectPath, ObjectAction)
    case compose(ObjectPath)
    case copy(ObjectPath, to: ObjectPath)
    case rewrite(ObjectPath, to: ObjectPath)
    case move(ObjectPath, to: ObjectPath)
    case hmacKeys(project: String, ListAction)
    case serviceAccount(project: String)
    /// Several calls in one request.
    case batch
}

extension JSONRoute {
    /// The API's methods: Google's names of them, and what the price list charges.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class (2026-11).
    var operation: StorageOperation {
        switch self {
        case .listBuckets: StorageOperation("storage.buckets.list", .classA, .service)
        case .createBucket: StorageOperation("storage.buckets.insert", .classA, .service)
        case .bucket(let bucket, let action): action.operation(on: .bucket(bucket))
        case .policy(let bucket, let action): action.operation(on: .bucket(bucket))
        case .accessControls(let scope, let action): action.operation(scope.collection, on: scope.target)
        case .notifications(let bucket, let action):
            action.operation("notifications", deletion: .classA, on: .bucket(bucket))
        case .folders(let bucket, let action):
            action.operation("managedFolders", get: .classA, list: .classA, on: .bucket(bucket))
        case .listObjects(let bucket): StorageOperation("storage.objects.list", .classA, .bucket(bucket))
        case .upload(let bucket, let name):
            StorageOperation(StorageOperation.upload, .classA, .upload(to: bucket, name: name))
        // An upload is charged once, when it begins.
        case .continueUpload(let bucket, let name):
            StorageOperation(StorageOperation.upload, .free, .upload(to: bucket, name: name))
        case .object(let path, let action): action.operation(on: .object(path))
        case .compose(let path): StorageOperation("storage.objects.compose", .classA, .object(path))
        case .copy(_, to: let path): StorageOperation("storage.objects.copy", .classA, .object(path))
        case .rewrite(_, to: let path): StorageOperation("storage.objects.rewrite", .classA, .object(path))
        case .move(_, to: let path): StorageOperation("storage.objects.move", .classA, .object(path))
        case .hmacKeys(_, let action): action.operation("hmacKey", insertion: "create", list: .classA, on: .service)
        case .serviceAccount: StorageOperation("storage.serviceaccount.get", .classB, .service)
        case .batch: StorageOperation(ofEmulator: "batch")
        }
    }
}

extension JSONRoute.BucketAction {
    fileprivate func operation(on target: StorageOperation.Target) -> StorageOperation {
        switch self {
        case .get, .getStorageLayout: StorageOperation("storage.buckets.get", .classB, target)
        case .patch: StorageOperation("storage.buckets.patch", .classA, target)
        case .update: StorageOperation("storage.buckets.update", .classA, target)
        case .delete: StorageOperation("storage.buckets.delete", .free, target)
        case .restore: StorageOperation("storage.buckets.restore", .classA, target)
        case .lockRetentionPolicy: StorageOperation("storage.buckets.lockRetentionPolicy", .classA, target)
        }
    }
}

extension JSONRoute.PolicyAction {
    fileprivate func operation(on target: StorageOperation.Target) -> StorageOperation {
        switch self {
        case .getIamPolicy: StorageOperation("storage.buckets.getIamPolicy", .classB, target)
        case .setIamPolicy: StorageOperation("storage.buckets.setIamPolicy", .classA, target)
        case .testIamPermissions: StorageOperation("storage.buckets.testIamPermissions", .classB, target)
        }
    }
}

extension JSONRoute.ObjectAction {
    fileprivate func operation(on target: StorageOperation.Target) -> StorageOperation {
        switch self {
        case .get: .metadata(target)
        case .download: StorageOperation(StorageOperation.download, .classB, target)
        case .patch: StorageOperation("storage.objects.patch", .classA, target)
        case .update: StorageOperation("storage.objects.update", .classA, target)
        case .delete: StorageOperation("storage.objects.delete", .free, target)
        case .restore: StorageOperation("storage.objects.restore", .classA, target)
        }
    }
}

extension JSONRoute.AccessScope {
    fileprivate var collection: String {
        switch self {
        case .bucket: "bucket_acl"
        case .defaultObject: "default_object_acl"
        case .object: "object_acl"
        }
    }

    fileprivate var target: StorageOperation.Target {
        switch self {
        case .bucket(let bucket), .defaultObject(let bucket): .bucket(bucket)
        case .object(let path): .object(path)
        }
    }
}

extension JSONRoute.ListAction {
    /// The method of a collection; the classes are those of access control lists unless said otherwise.
    fileprivate func operation(
        _ collection: String,
        insertion: String = "insert",
        get: StorageOperationClass = .classB,
        list: StorageOperationClass = .classB,
        deletion: StorageOperationClass = .free,
        on target: StorageOperation.Target
    ) -> StorageOperation {
        switch self {
        case .list: StorageOperation("storage.\(collection).list", list, target)
        case .insert: StorageOperation("storage.\(collection).\(insertion)", .classA, target)
        case .get: StorageOperation("storage.\(collection).get", get, target)
        case .patch: StorageOperation("storage.\(collection).patch", .classA, target)
        case .update: StorageOperation("storage.\(collection).update", .classA, target)
        case .delete: StorageOperation("storage.\(collection).delete", deletion, target)
        }
    }
}
