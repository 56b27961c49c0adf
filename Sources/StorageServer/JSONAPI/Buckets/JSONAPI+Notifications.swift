// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request about a bucket's notification configurations, which are kept; nothing is published here.
    func answerNotifications(
        _ action: JSONRoute.ListAction,
        of name: BucketName,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .list:
            let all = try await notifications(of: name).sorted { $0.key < $1.key }
            return call.json(
                .object(compacting: [
                    ("kind", "storage#notifications"),
                    (
                        "items",
                        all.isEmpty
                            ? nil
                            : .array(all.map { Self.resource($0.key, requested: $0.value, bucket: name, for: call) })
                    ),
                ])
            )
        case .get(let id):
            guard let found = try await notifications(of: name)[id] else { throw StorageFailure.noSuchNotification }
            return call.json(Self.resource(id, requested: found, bucket: name, for: call))
        case .insert: return try await insertNotification(into: name, for: call)
        case .delete(let id):
            _ = try await changeDocument(of: name, isCounted: false, for: call) { document, _ in
                guard document.notifications.removeValue(forKey: id) != nil else {
                    throw StorageFailure.noSuchNotification
                }
            }
            return Response(status: .noContent)
        case .patch, .update: throw StorageFailure.methodNotAllowed
        }
    }

    private func notifications(of name: BucketName) async throws -> [String: JSONValue] {
        BucketDocument(try await existingBucket(name).settings).notifications
    }

    private func insertNotification(into name: BucketName, for call: StorageCall) async throws -> Response {
        let requested = try await call.jsonBody()
        let topic = requested["topic"]?.string ?? ""
        guard topic.contains("/topics/"), !topic.hasSuffix("/topics/") else {
            throw StorageFailure.invalid(
                "Invalid Google Cloud Pub/Sub topic. It should look like '//pubsub.googleapis.com/projects/*/topics/*'."
            )
        }
        let bucket = try await changeDocument(of: name, isCounted: false, for: call) { document, _ in
            let last = document.notifications.keys.compactMap(Int.init).max() ?? 0
            document.notifications[String(last + 1)] = .object(requested)
        }
        let kept = BucketDocument(bucket.settings).notifications
        let id = kept.keys.compactMap(Int.init).max().map(String.init) ?? ""
        return call.json(Self.resource(id, requested: kept[id] ?? .null, bucket: name, for: call))
    }

    private static func resource(
        _ id: String,
        requested: JSONValue,
        bucket: BucketName,
        for call: StorageCall
    ) -> JSONText {
        let link = "\(call.origin)/storage/v1/b/\(bucket)/notificationConfigs/\(id)"
        let own = requested.members.filter { !["id", "kind", "selfLink", "etag"].contains($0.key) }
        return .object(
            [
                ("kind", "storage#notification"), ("id", .string(id)), ("selfLink", .string(link)),
                ("etag", .string(id)),
            ] + own.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) }
        )
    }
}

extension StorageFailure {
    fileprivate static let noSuchNotification = Self(
        status: 404,
        message: "The specified notification configuration does not exist.",
        reason: "notFound"
    )
}
