// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import ObjectStore
import Wire

extension XMLAPI {
    /// Stores the file of a form, as a browser posts it; its bytes are never held.
    ///
    /// Without a bucket in its address, a form names it in its field `bucket`
    /// (https://cloud.google.com/storage/docs/xml-api/post-object-forms, 2026-11), or its policy does: that is all that
    /// Node's client leaves of it where its endpoint is not Google's (googleapis/nodejs-storage 7.19, `src/file.ts`,
    /// `generateSignedPostPolicyV4`).
    func postForm(to bucket: BucketName?, for call: StorageCall) async throws -> Response {
        guard bucket != nil || FormDataParser.isForm(call.request.headers[.contentType]) else {
            throw XMLFailure.methodNotAllowed
        }
        var parser = try FormDataParser(contentType: call.request.headers[.contentType])
        var begun: (requested: FormUpload, upload: ObjectUpload)?
        try await WholeBody(of: call.request).forEachPiece { piece in
            var bytes: [[UInt8]] = []
            try parser.consume(piece.readableBytesView) { bytes.append($0) }
            if begun == nil, let file = parser.file {
                let requested = try admit(parser.fields, file: file, to: bucket)
                call.attribute(to: .object(requested.path))
                begun = (requested, try await blockingWork { [store] in try store.beginUpload() })
            }
            if let begun { try await append(bytes, of: begun.requested, to: begun.upload) }
        }
        try parser.finish()
        guard let (requested, upload) = begun else { throw FormDataParser.Failure.noFile }
        guard upload.byteCount >= requested.byteCounts.lowerBound else {
            throw XMLFailure.tooSmall(requested.byteCounts)
        }
        let object = try await blockingWork { try upload.commit(to: requested.path, attributes: requested.attributes) }
        return requested.response(for: object, origin: call.origin)
    }

    /// Judges a form by its policy before a byte of its file is kept.
    private func admit(_ fields: FormFields, file: FormPartHeader, to named: BucketName?) throws -> FormUpload {
        let bucket = try named ?? Self.bucket(of: fields)
        var requested = try FormUpload(fields, file: file, in: bucket)
        guard let text = fields["policy"] else { return requested }
        try SignedForm.judge(fields, keys: context.signingKeys)
        let policy = try PostPolicy.decode(base64: text)
        let key = requested.path.name.description
        try policy.judge(fields, bucket: bucket.description, key: key, now: context.clock() / 1_000_000)
        requested.byteCounts = policy.byteCounts
        return requested
    }

    private static func bucket(of fields: FormFields) throws -> BucketName {
        guard let name = try fields["bucket"] ?? fields["policy"].flatMap({ try PostPolicy.decode(base64: $0).bucket })
        else { throw XMLFailure.invalidArgument("The form needs a field bucket, or an address that names one.") }
        guard let bucket = BucketName(name) else { throw XMLFailure.invalidBucketName }
        return bucket
    }

    private func append(_ pieces: [[UInt8]], of requested: FormUpload, to upload: ObjectUpload) async throws {
        guard !pieces.isEmpty else { return }
        let byteCount = pieces.reduce(upload.byteCount) { $0 + Int64($1.count) }
        guard byteCount <= requested.byteCounts.upperBound else {
            throw XMLFailure.tooLarge("The policy allows \(requested.byteCounts.upperBound) bytes.")
        }
        try await blockingWork { for piece in pieces { try piece.withUnsafeBytes { try upload.append($0) } } }
    }
}

extension FormUpload {
    /// The answer that the form wanted.
    fileprivate func response(for object: ObjectMetadata, origin: String) -> Response {
        let tag = MediaForm.xml(isPublic: true).entityTag(of: object)
        let location = "\(origin)/\(path.bucket)/\(PercentCoding.encode(path.name.description))"
        var fields = object.storedFields
        switch success {
        case .redirect(let target):
            let query = [("bucket", path.bucket.description), ("key", path.name.description), ("etag", tag)]
                .map { "\($0)=\(PercentCoding.encode($1))" }
                .joined(separator: "&")
            fields[.location] = "\(target)\(target.contains("?") ? "&" : "?")\(query)"
            return Response(status: .seeOther, headers: fields)
        case .status(201):
            let members = [
                ("Location", location), ("Bucket", path.bucket.description), ("Key", path.name.description),
                ("ETag", tag),
            ]
            var response = Response.xml(
                .element("PostResponse", members.map { XMLText.element($0, $1) }),
                status: 201
            )
            for field in fields { response.headers[field.name] = field.value }
            response.headers[.location] = location
            return response
        case .status(let status):
            fields[.location] = location
            return Response(status: HTTPResponse.Status(code: status), headers: fields)
        }
    }
}

extension XMLFailure {
    fileprivate static func tooSmall(_ byteCounts: ClosedRange<Int64>) -> Self {
        Self(
            400,
            code: "EntityTooSmall",
            message: "Your proposed upload is smaller than the minimum object size specified in your Policy Document.",
            details: "The policy wants \(byteCounts.lowerBound) bytes at least."
        )
    }
}
