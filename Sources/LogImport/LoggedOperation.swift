// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The operation of a request, as far as a log has it.
package enum LoggedOperation: String, Sendable, Hashable, CaseIterable {
    /// The download of an object.
    case download = "storage.objects.get"
    /// The question for an object's metadata, or whether it is there.
    case metadata = "storage.objects.metadata"
    /// A list of objects or buckets.
    case list = "storage.objects.list"
    /// An upload, a copy, or a change of metadata.
    case write = "storage.objects.insert"
    /// The removal of an object.
    case delete = "storage.objects.delete"
    /// A query, a document or a listener of Firestore.
    case documents = "firestore"
    /// Anything else.
    case other

    /// The class that the operation is billed as; `nil` for one that Cloud Storage does not bill.
    package var storageClass: StorageOperationClass? {
        switch self {
        case .download, .metadata: .classB
        case .list, .write: .classA
        case .delete: .free
        case .documents, .other: nil
        }
    }

    /// The bill of Cloud Storage for a request of this status; 0 is that of a log that has none, which lists answers.
    func billed(status: Int, byteCount: Int64) -> BilledUsage {
        guard let storageClass else { return .zero }
        return BillingRule.storage(storageClass).billed(status: status == 0 ? 200 : status, sentBodyBytes: byteCount)
    }

    /// The operation that a usage log names, such as `GET_Object` (XML) or `storage.objects.get` (JSON).
    init(usageLog name: UnsafeRawBufferPointer, isMedia: Bool) {
        let text = String(decoding: name, as: UTF8.self)
        switch text {
        case "GET_Object": self = .download
        case "HEAD_Object", "GET_ObjectACL", "GET_Object_ACL": self = .metadata
        case "storage.objects.get": self = isMedia ? .download : .metadata
        case "storage.objects.delete", "DELETE_Object": self = .delete
        // The name of an upload in audit logs.
        case "storage.objects.create": self = .write
        default: self = Self(kind: text)
        }
    }

    private init(kind text: String) {
        if text.hasSuffix("AccessControls.list") {
            self = .metadata
        } else if text.hasSuffix(".list") || text.hasPrefix("GET_Bucket") || text.hasPrefix("GET_Service") {
            self = .list
        } else if [".insert", ".copy", ".rewrite", ".compose", ".patch", ".update"].contains(where: text.hasSuffix)
            || text.hasPrefix("PUT_") || text.hasPrefix("POST_")
        {
            self = .write
        } else if text.hasPrefix("storage.") && text.hasSuffix(".get") || text.hasPrefix("HEAD_") {
            self = .metadata
        } else {
            self = .other
        }
    }
}
