// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

extension XMLRoute {
    /// The API's methods under the names of those of the JSON API that do the same, with their class in the price list.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class, column XML API (2026-11): PUT, POST and
    /// listings are class A, other reads class B, DELETE is free.
    var operation: StorageOperation {
        switch self {
        case .listBuckets: StorageOperation("storage.buckets.list", .classA, .service)
        case .postForm: StorageOperation(StorageOperation.upload, .classA, .service)
        case .bucket(let bucket, let operation): operation.operation(on: .bucket(bucket))
        case .object(let path, let operation): operation.operation(on: .object(path))
        }
    }
}

extension XMLRoute.BucketOperation {
    fileprivate func operation(on target: StorageOperation.Target) -> StorageOperation {
        switch self {
        case .list: StorageOperation("storage.objects.list", .classA, target)
        case .describe, .setting: StorageOperation("storage.buckets.get", .classB, target)
        case .create: StorageOperation("storage.buckets.insert", .classA, target)
        case .delete: StorageOperation("storage.buckets.delete", .free, target)
        case .changeSetting: StorageOperation("storage.buckets.patch", .classA, target)
        case .deleteObjects: StorageOperation("storage.objects.delete", .classA, target)
        case .postForm: StorageOperation(StorageOperation.upload, .classA, target)
        }
    }
}

extension XMLRoute.ObjectOperation {
    fileprivate func operation(on target: StorageOperation.Target) -> StorageOperation {
        switch self {
        case .download: StorageOperation(StorageOperation.download, .classB, target)
        case .describe, .accessControls: .metadata(target)
        case .put, .startResumable, .beginParts: StorageOperation(StorageOperation.upload, .classA, target)
        case .copy: StorageOperation("storage.objects.copy", .classA, target)
        case .delete: StorageOperation("storage.objects.delete", .free, target)
        case .changeAccessControls: StorageOperation("storage.objects.patch", .classA, target)
        // An upload is charged once, when it begins.
        case .continueResumable, .cancelResumable: StorageOperation(StorageOperation.upload, .free, target)
        case .parts(_, .list): StorageOperation("storage.objects.listParts", .classA, target)
        case .parts(_, .receive), .parts(_, .complete): StorageOperation(StorageOperation.upload, .classA, target)
        case .parts(_, .abort): StorageOperation("storage.objects.delete", .free, target)
        }
    }
}
