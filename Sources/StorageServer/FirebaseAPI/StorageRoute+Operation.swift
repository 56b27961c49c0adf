// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

extension StorageRoute {
    /// The name of the method in the JSON API that does the same.
    var operation: String {
        switch self {
        case .emulator: "storage.emulator"
        case .list: "storage.objects.list"
        case .upload: "storage.objects.insert"
        case .download, .metadata: "storage.objects.get"
        case .patch, .changeTokens: "storage.objects.patch"
        case .delete: "storage.objects.delete"
        }
    }

    /// The name under which the meter keeps the method: reads of metadata apart from those of bytes.
    var meteredOperation: String {
        if case .metadata = self { return "storage.objects.getMetadata" }
        return operation
    }

    /// The class that the price list puts the method in.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class (2026-11).
    var operationClass: StorageOperationClass {
        switch self {
        case .emulator, .delete: .free
        case .download, .metadata: .classB
        case .list, .upload, .patch, .changeTokens: .classA
        }
    }

    /// The bucket that the method is about.
    var bucket: BucketName? {
        switch self {
        case .list(let bucket), .upload(let bucket, _): bucket
        default: path?.bucket
        }
    }

    /// The object that the method is about.
    var path: ObjectPath? {
        switch self {
        case .download(let path), .metadata(let path), .patch(let path), .delete(let path), .changeTokens(let path):
            path
        case .upload(let bucket, let name): name.map { ObjectPath(bucket: bucket, name: $0) }
        case .emulator, .list: nil
        }
    }
}
