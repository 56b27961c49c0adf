// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

extension JSONRoute {
    /// Google's name of the method, as client libraries, audit logs and price lists have it.
    var operation: String {
        switch self {
        case .listBuckets: "storage.buckets.list"
        case .createBucket: "storage.buckets.insert"
        case .bucket(_, .getStorageLayout): "storage.buckets.get"
        case .bucket(_, let action): "storage.buckets.\(action.rawValue)"
        case .policy(_, let action): "storage.buckets.\(action.rawValue)"
        case .accessControls(.bucket, let action): "storage.bucket_acl.\(action.name)"
        case .accessControls(.defaultObject, let action): "storage.default_object_acl.\(action.name)"
        case .accessControls(.object, let action): "storage.object_acl.\(action.name)"
        case .notifications(_, let action): "storage.notifications.\(action.name)"
        case .folders(_, let action): "storage.managedFolders.\(action.name)"
        case .listObjects: "storage.objects.list"
        case .upload: "storage.objects.insert"
        case .object(_, .download): "storage.objects.get"
        case .object(_, let action): "storage.objects.\(action.rawValue)"
        case .compose: "storage.objects.compose"
        case .copy: "storage.objects.copy"
        case .rewrite: "storage.objects.rewrite"
        case .move: "storage.objects.move"
        case .hmacKeys(_, .insert): "storage.hmacKey.create"
        case .hmacKeys(_, let action): "storage.hmacKey.\(action.name)"
        case .serviceAccount: "storage.serviceaccount.get"
        }
    }

    /// What the price list charges for the method.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class (2026-11).
    var operationClass: StorageOperationClass {
        switch self {
        case .bucket(_, .delete), .object(_, .delete), .hmacKeys(_, .delete): .free
        case .accessControls(_, .delete), .folders(_, .delete): .free
        case .bucket(_, .get), .bucket(_, .getStorageLayout), .object(_, .get), .object(_, .download),
            .policy(_, .getIamPolicy), .policy(_, .testIamPermissions), .accessControls(_, .get),
            .accessControls(_, .list), .notifications(_, .get), .notifications(_, .list), .hmacKeys(_, .get),
            .serviceAccount:
            .classB
        default: .classA
        }
    }

    /// The bucket that the method is about.
    var bucket: BucketName? {
        switch self {
        case .listBuckets, .createBucket, .hmacKeys, .serviceAccount: nil
        case .bucket(let bucket, _), .policy(let bucket, _), .notifications(let bucket, _), .folders(let bucket, _),
            .listObjects(let bucket), .upload(let bucket, _), .accessControls(.bucket(let bucket), _),
            .accessControls(.defaultObject(let bucket), _):
            bucket
        default: path?.bucket
        }
    }

    /// The object that the method is about: the one that is read, or that comes to be.
    var path: ObjectPath? {
        switch self {
        case .object(let path, _), .compose(let path), .copy(_, to: let path), .rewrite(_, to: let path),
            .move(_, to: let path), .accessControls(.object(let path), _):
            path
        case .upload(let bucket, let name): name.map { ObjectPath(bucket: bucket, name: $0) }
        default: nil
        }
    }

    /// The name under which the meter keeps the method: reads of metadata apart from those of bytes.
    var meteredOperation: String {
        if case .object(_, .get) = self { return "storage.objects.getMetadata" }
        return operation
    }
}

extension JSONRoute.ListAction {
    fileprivate var name: String {
        switch self {
        case .list: "list"
        case .insert: "insert"
        case .get: "get"
        case .patch: "patch"
        case .update: "update"
        case .delete: "delete"
        }
    }
}
