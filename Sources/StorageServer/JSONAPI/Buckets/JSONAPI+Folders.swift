// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request about a bucket's managed folders, which are kept; the access they would grant is not.
    func answerFolders(
        _ action: JSONRoute.ListAction,
        of name: BucketName,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .list:
            let all = BucketDocument(try await existingBucket(name).settings).folders.sorted()
            return call.json(
                .object(compacting: [
                    ("kind", "storage#managedFolders"),
                    ("items", all.isEmpty ? nil : .array(all.map { Self.resource($0, bucket: name, for: call) })),
                ])
            )
        case .get(let text):
            let folder = Self.folderName(text)
            guard BucketDocument(try await existingBucket(name).settings).folders.contains(folder) else {
                throw StorageFailure.noSuchFolder
            }
            return call.json(Self.resource(folder, bucket: name, for: call))
        case .insert:
            guard let text = try await call.jsonBody()["name"]?.string, !text.isEmpty else {
                throw StorageFailure.required("name")
            }
            let folder = Self.folderName(text)
            _ = try await changeDocument(of: name, isCounted: false, for: call) { document, _ in
                guard !document.folders.contains(folder) else { throw StorageFailure.folderExists }
                document.folders.append(folder)
            }
            return call.json(Self.resource(folder, bucket: name, for: call))
        case .delete(let text):
            let folder = Self.folderName(text)
            _ = try await changeDocument(of: name, isCounted: false, for: call) { document, _ in
                guard document.folders.contains(folder) else { throw StorageFailure.noSuchFolder }
                document.folders.removeAll { $0 == folder }
            }
            return Response(status: .noContent)
        case .patch, .update: throw StorageFailure.methodNotAllowed
        }
    }

    private static func folderName(_ text: String) -> String { text.hasSuffix("/") ? text : text + "/" }

    private static func resource(_ folder: String, bucket: BucketName, for call: StorageCall) -> JSONText {
        let place = "b/\(bucket)/managedFolders/\(PercentCoding.encode(folder))"
        return .object([
            ("kind", "storage#managedFolder"),
            ("id", .string("\(bucket)/\(folder)")),
            ("selfLink", .string("\(call.origin)/storage/v1/\(place)")),
            ("name", .string(folder)),
            ("bucket", .string(bucket.description)),
            ("metageneration", "1"),
        ])
    }
}

extension StorageFailure {
    fileprivate static let noSuchFolder = Self(
        status: 404,
        message: "The specified managed folder does not exist.",
        reason: "notFound"
    )

    fileprivate static let folderExists = Self(
        status: 409,
        message: "The specified managed folder already exists.",
        reason: "conflict"
    )
}
