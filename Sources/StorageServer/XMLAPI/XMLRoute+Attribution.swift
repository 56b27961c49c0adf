// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import ObjectStore

extension XMLRoute {
    /// Tells the meter what the request is about, and its class by the price list.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class, column XML API (2026-11): PUT, POST and
    /// listings are class A, other reads class B, DELETE is free.
    func attribute(_ call: StorageCall) throws(StorageFailure) {
        let (operation, operationClass) = billing(call)
        switch self {
        case .listBuckets, .postForm: try call.attribute(operation, operationClass)
        case .bucket(let name, _): try call.attribute(operation, operationClass, bucket: name)
        case .object(let path, _): try call.attribute(operation, operationClass, path: path)
        }
    }

    /// The name by which the fault API knows the operation: reads of metadata are reads of the object there.
    func operation(_ call: StorageCall) -> String {
        let operation = billing(call).operation
        return operation == "storage.objects.getMetadata" ? "storage.objects.get" : operation
    }

    private func billing(_ call: StorageCall) -> (operation: String, StorageOperationClass) {
        switch self {
        case .listBuckets: return ("storage.buckets.list", .classA)
        case .postForm: return ("storage.objects.insert", .classA)
        case .bucket(_, let operation):
            let (word, operationClass) = operation.attribution
            return ("storage.\(word)", operationClass)
        case .object(_, let operation):
            let (word, operationClass) = operation.attribution(call)
            return ("storage.objects.\(word)", operationClass)
        }
    }
}

extension XMLRoute.BucketOperation {
    fileprivate var attribution: (word: String, StorageOperationClass) {
        switch self {
        case .list: ("objects.list", .classA)
        case .describe, .setting: ("buckets.get", .classB)
        case .create: ("buckets.insert", .classA)
        case .delete: ("buckets.delete", .free)
        case .changeSetting: ("buckets.patch", .classA)
        case .deleteObjects: ("objects.delete", .classA)
        case .postForm: ("objects.insert", .classA)
        }
    }
}

extension XMLRoute.ObjectOperation {
    fileprivate func attribution(_ call: StorageCall) -> (word: String, StorageOperationClass) {
        switch self {
        case .download: (call.request.method == .head ? "getMetadata" : "get", .classB)
        case .put: (call["x-goog-copy-source"] == nil ? "insert" : "copy", .classA)
        case .delete: ("delete", .free)
        case .accessControls: ("getMetadata", .classB)
        case .changeAccessControls: ("patch", .classA)
        case .startResumable, .beginParts: ("insert", .classA)
        case .continueResumable: ("insert", .free)
        case .parts: Self.attribution(ofPart: call.request.method)
        }
    }

    private static func attribution(ofPart method: HTTPRequest.Method) -> (word: String, StorageOperationClass) {
        switch method {
        case .get, .head: ("listParts", .classA)
        case .delete: ("delete", .free)
        default: ("insert", .classA)
        }
    }
}
