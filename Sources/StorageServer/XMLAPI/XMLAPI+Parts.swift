// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

extension XMLAPI {
    /// The most parts of a page, as production.
    private static let partListCountMax = 1_000

    /// Begins a multipart upload of the XML API.
    func beginParts(of path: ObjectPath, for call: StorageCall) async throws -> Response {
        let plan = try UploadPlan(path, for: call, now: context.clock())
        let attributes = try plan.attributes(context.makeToken)
        let uploadID = try await blockingWork { [store] in
            try store.beginParts(of: path, attributes: attributes, customerKeyHash: plan.customerKeyHash)
        }
        let members = [("Bucket", path.bucket.description), ("Key", path.name.description), ("UploadId", uploadID)]
        return .xml(
            .element(
                "InitiateMultipartUploadResult",
                members.map { XMLText.element($0, $1) },
                attributes: [XMLText.partNamespace]
            )
        )
    }

    /// Answers a request about a multipart upload that has begun.
    func answer(
        _ action: XMLRoute.PartAction,
        of path: ObjectPath,
        uploadID: String,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .list: return try await listParts(of: path, uploadID: uploadID, for: call)
        case .receive: return try await receivePart(of: path, uploadID: uploadID, for: call)
        case .complete: return try await completeParts(of: path, uploadID: uploadID, for: call)
        case .abort:
            try await blockingWork { [store] in try store.abortParts(of: uploadID, at: path) }
            return Response(status: .noContent)
        }
    }

    private func receivePart(
        of path: ObjectPath,
        uploadID: String,
        for call: StorageCall
    ) async throws -> Response {
        guard let number = call.target["partNumber"].flatMap({ Int($0) }), StoredPart.numbers.contains(number) else {
            throw XMLFailure.invalidArgument("partNumber must be a number from 1 to 10000.")
        }
        let expected = try call.expectedDigest()
        let body = WholeBody(of: call.request)
        try body.checkDeclaredSize(atMost: store.configuration.objectByteCountMax)
        let keyHash = try CustomerKey.read(call)?.hash
        let receiver = try await blockingWork { [store] in
            try store.beginPart(number, of: uploadID, at: path, customerKeyHash: keyHash)
        }
        try await body.forEachPiece { piece in
            try await blockingWork { try piece.withUnsafeReadableBytes { try receiver.append($0) } }
        }
        let part = try await blockingWork { try receiver.keep(expected: expected) }
        var fields: HTTPFields = [.eTag: part.entityTag]
        fields.set("x-goog-hash", to: part.digest.hashField())
        return Response(status: .ok, headers: fields)
    }

    private func completeParts(
        of path: ObjectPath,
        uploadID: String,
        for call: StorageCall
    ) async throws -> Response {
        let conditions = try XMLConditions(call)
        let body = try await WholeBody(of: call.request).collected(upTo: XMLReader.byteCountMax)
        let parts = try PartCompletion.parts(try XMLReader.read(body))
        let object = try await blockingWork { [store] in
            try store.completeParts(parts, of: uploadID, at: path, preconditions: conditions.preconditions)
        }
        let members = [
            ("Location", "\(call.origin)/\(path.bucket)/\(PercentCoding.encode(path.name.description))"),
            ("Bucket", path.bucket.description), ("Key", path.name.description),
            ("ETag", MediaForm.xml(isPublic: true).entityTag(of: object)),
        ]
        var response = Response.xml(
            .element(
                "CompleteMultipartUploadResult",
                members.map { XMLText.element($0, $1) },
                attributes: [XMLText.partNamespace]
            )
        )
        for field in object.storedFields { response.headers[field.name] = field.value }
        return response
    }

    private func listParts(
        of path: ObjectPath,
        uploadID: String,
        for call: StorageCall
    ) async throws -> Response {
        let marker = Int(call.target.text("part-number-marker") ?? "0")
        let requested = Int(call.target.text("max-parts") ?? "\(Self.partListCountMax)")
        guard let marker, marker >= 0, let requested, requested >= 0 else {
            throw XMLFailure.invalidArgument("part-number-marker and max-parts must be whole numbers from 0.")
        }
        let count = min(requested, Self.partListCountMax)
        // One more than is shown shows whether there are more.
        let found = try await blockingWork { [store] in
            try store.parts(of: uploadID, at: path, after: marker, countMax: count + 1)
        }
        let page = found.prefix(count)
        let isTruncated = found.count > count
        let frame: [XMLText?] = [
            .element("Bucket", path.bucket.description), .element("Key", path.name.description),
            .element("UploadId", uploadID), .element("StorageClass", "STANDARD"),
            .element("PartNumberMarker", String(marker)),
            isTruncated ? page.last.map { .element("NextPartNumberMarker", String($0.number)) } : nil,
            .element("MaxParts", String(count)), .element("IsTruncated", isTruncated ? "true" : "false"),
        ]
        return .xml(.element("ListPartsResult", frame + page.map(\.element), attributes: [XMLText.partNamespace]))
    }
}

extension StoredPart {
    fileprivate var entityTag: String { "\"\(digest.md5Hex ?? digest.crc32cBase64)\"" }

    fileprivate var element: XMLText {
        .element(
            "Part",
            [
                .element("PartNumber", String(number)),
                .element("LastModified", RFC3339.text(microseconds: time)),
                .element("ETag", entityTag),
                .element("Size", String(byteCount)),
            ]
        )
    }
}
