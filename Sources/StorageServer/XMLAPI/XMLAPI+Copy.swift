// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension XMLAPI {
    /// Copies an object; its attributes come along, unless `x-goog-metadata-directive: REPLACE` wants the request's.
    func copyObject(_ source: String, to path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try XMLConditions(ofSource: call)
        let plan = try UploadPlan(path, for: call, now: context.clock())
        let sourceKey = try CustomerKey.read(call, prefix: "x-goog-copy-source-encryption-")
        let isReplacing = try call.isReplacingMetadata
        var request = ObjectCopy(from: try XMLCopySource.path(source), to: path)
        request.sourceGeneration = conditions.generation
        request.preconditions = plan.preconditions
        request.customerKeyHash = plan.customerKeyHash
        let copy = request
        let copied = try await blockingWork { [store, makeToken = context.makeToken] in
            try store.copy(copy) { source in
                try conditions.judge(source)
                try CustomerKey.check(sourceKey, opens: source)
                return try isReplacing ? plan.attributes(makeToken) : source.attributes.copied
            }
        }
        guard let copied else { throw try await missing(copy.source) }
        var response = Response.xml(copied.copyResult)
        for field in copied.storedFields { response.headers[field.name] = field.value }
        return response
    }
}

extension StorageCall {
    fileprivate var isReplacingMetadata: Bool {
        get throws(XMLFailure) {
            switch self["x-goog-metadata-directive"]?.uppercased() {
            case nil, "COPY": false
            case "REPLACE": true
            default: throw .invalidArgument("x-goog-metadata-directive must be COPY or REPLACE.")
            }
        }
    }
}

extension ObjectAttributes {
    /// The attributes of a copy: class, access, holds and retention are never the source's.
    fileprivate var copied: ObjectAttributes {
        var attributes = self
        attributes.storageClass = nil
        attributes.accessControls = nil
        attributes.hasTemporaryHold = nil
        attributes.hasEventBasedHold = nil
        attributes.retention = nil
        attributes.keyName = nil
        return attributes
    }
}

extension ObjectMetadata {
    fileprivate var copyResult: XMLText {
        .element(
            "CopyObjectResult",
            [
                .element("LastModified", RFC3339.text(microseconds: updated)),
                .element("ETag", MediaForm.xml(isPublic: true).entityTag(of: self)),
            ]
        )
    }
}

/// The header field `x-goog-copy-source`: `/BUCKET/OBJECT`, percent-coded, with or without the first slash.
enum XMLCopySource {
    /// Reads the field.
    static func path(_ text: String) throws(XMLFailure) -> ObjectPath {
        let parts = text.drop { $0 == "/" }.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let bucket = PercentCoding.decode(parts[0]), let name = PercentCoding.decode(parts[1]),
            let path = ObjectPath(bucket: bucket, name: name)
        else {
            throw .invalidArgument("x-goog-copy-source must be of the form /BUCKET/OBJECT.")
        }
        return path
    }
}
