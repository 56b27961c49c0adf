// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import Wire

/// The plan for arriving bytes: kept in memory for an upload in one request, on disk for a resumable one.
struct UploadPlan: Codable, Sendable {
    /// The API by which the upload was begun, whose habits the new object has.
    var api: StorageAPIName
    var bucket: String
    /// The object's name, where the address has it; otherwise it is in the metadata.
    var name: String?
    /// The JSON that describes the object.
    var requested = "{}"
    /// The media type that the media part or the request declares.
    var mediaType: String?
    /// The size that was declared when a resumable upload was begun, in bytes.
    var byteCount: Int64?
    var preconditions = ObjectPreconditions.none
    var customerKeyHash: String?
    /// The grants of a predefined access control list.
    var grants: [AccessControl]?
    /// The name of the key, kept by Google, that the address names.
    var keyName: String?
    /// The entity that uploads, if it says so.
    var owner: String?
    /// When the upload was begun, in microseconds since the Unix epoch.
    var time: Int64 = 0
    /// The coding that the address names.
    var contentEncoding: String?

    // The names of resumable uploads' records; the first was another in 2026-11.
    private enum CodingKeys: String, CodingKey {
        case requested = "wish"
        case api, bucket, name, mediaType, byteCount, preconditions, customerKeyHash, grants, keyName, owner, time
        case contentEncoding
    }

    init(_ api: StorageAPIName, bucket: BucketName, name: ObjectName?) {
        self.api = api
        self.bucket = bucket.description
        self.name = name?.description
    }

    /// Where the object is to be: under the name in the request's target, or else the one in the metadata.
    func path() throws(StorageFailure) -> ObjectPath {
        let text = if let name { name } else { try objectChanges().name ?? "" }
        guard !text.isEmpty else { throw .required("name") }
        guard let path = ObjectPath(bucket: bucket, name: text) else {
            throw api == .firebase ? .badRequest : .invalidObjectName(text)
        }
        return path
    }

    /// The attributes of the object; `makeToken` makes the download token that every upload by the v0 API gets.
    func attributes(_ makeToken: () -> String) throws(StorageFailure) -> ObjectAttributes {
        let scope: ObjectChanges.Scope = api == .firebase ? .firebase : .json(now: time)
        let type = api == .firebase ? MediaTypeGuess.type(declaredAs: mediaType, named: try path().name) : mediaType
        var attributes = try objectChanges().attributes(scope, mediaContentType: type)
        attributes.owner = owner
        if let keyName { attributes.keyName = keyName }
        if let contentEncoding { attributes.contentEncoding = contentEncoding }
        attributes.dropIdentityEncoding()
        if let grants { attributes.accessControls = grants }
        guard api == .firebase else { return attributes }
        // Production's defaults for every v0 upload (recorded 2026).
        if attributes.downloadTokens.isEmpty { attributes.downloadTokens = [makeToken()] }
        let disposition = try path().name.contentDispositionDefault
        attributes.contentDisposition = attributes.contentDisposition ?? disposition
        return attributes
    }

    /// The checksums of the description and of a request's header.
    func expectedDigest(_ call: StorageCall) throws(StorageFailure) -> ExpectedDigest {
        var expected = try objectChanges().expectedDigest()
        try expected.expect(call)
        return expected
    }

    func objectChanges() throws(StorageFailure) -> ObjectChanges {
        try ObjectChanges(parsing: Array(requested.utf8))
    }
}

extension UploadPlan {
    /// Reads what was written down when a resumable upload was begun.
    init(_ upload: ResumableUpload) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(upload.request.utf8))
    }

    /// The plan as a text to keep.
    func encoded() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }
}

extension ObjectName {
    /// The disposition of a v0 upload that brings none: the name behind the last slash, for a browser to show.
    fileprivate var contentDispositionDefault: String {
        let base = description.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return "inline; filename*=utf-8''\(PercentCoding.encode(String(base)))"
    }
}
