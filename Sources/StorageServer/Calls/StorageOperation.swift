// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore

/// A method of the service and its target, as the meter, the price list and fault plans know them.
///
/// Each API has one table of them: `FirebaseRoute.operation`, `JSONRoute.operation`, `XMLRoute.operation`.
struct StorageOperation: Sendable, Equatable {
    /// The bucket or object that an operation reads or changes.
    enum Target: Sendable, Equatable {
        case service
        case bucket(BucketName)
        case object(ObjectPath)

        /// The target of an upload, whose name may be in its body.
        static func upload(to bucket: BucketName, name: ObjectName?) -> Self {
            name.map { .object(ObjectPath(bucket: bucket, name: $0)) } ?? .bucket(bucket)
        }
    }

    /// Google's name of the method, by which fault plans and audit logs know every upload and every download.
    static let upload = "storage.objects.insert"
    static let download = "storage.objects.get"

    /// The operation of a request that no API knows.
    static let unknown = Self(ofEmulator: "unknown")

    /// The name in usage records: that of the method in Google's JSON API.
    let name: String
    /// The name in fault plans: reads of metadata are reads of the object there; `nil` for what cannot be planned to fail.
    let faultMethod: String?
    /// The class that the price list puts the method in.
    let operationClass: StorageOperationClass
    let target: Target

    init(_ name: String, _ operationClass: StorageOperationClass, _ target: Target, faultMethod: String? = nil) {
        self.name = name
        self.faultMethod = faultMethod ?? name
        self.operationClass = operationClass
        self.target = target
    }

    /// An operation that production has not.
    init(ofEmulator name: String) {
        self.name = "storage.\(name)"
        faultMethod = nil
        operationClass = .free
        target = .service
    }

    /// A read of metadata, which usage records keep apart from reads of bytes.
    static func metadata(_ target: Target) -> Self {
        Self("storage.objects.getMetadata", .classB, target, faultMethod: download)
    }

    /// The operation on a target that only the request's body names.
    func on(_ target: Target) -> Self {
        Self(name, operationClass, target, faultMethod: faultMethod)
    }

    /// The attribution of a request in usage records.
    var attribution: UsageAttribution {
        var attribution = UsageAttribution(service: .storage, operation: name)
        switch target {
        case .service: break
        case .bucket(let bucket): attribution.bucket = bucket.description
        case .object(let path):
            attribution.bucket = path.bucket.description
            attribution.object = path.name.description
            attribution.image = FeedImagePath(objectName: path.name.description)
        }
        return attribution
    }
}
