// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

/// The Firebase v0 API, which Firebase's client SDKs speak.
struct FirebaseAPI: StorageAPI {
    let context: StorageContext

    func route(_ call: StorageCall) throws -> FirebaseRoute {
        try FirebaseRoute(method: call.method, target: call.target)
    }

    func handle(_ route: FirebaseRoute, for call: StorageCall) async throws -> Response {
        var response = try await carryOut(route, for: call)
        response.addFirebaseFields(for: call)
        return response
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response {
        var response = StorageFailure(error).response(in: .firebase, as: call.form)
        response.addFirebaseFields(for: call)
        return response
    }

    private func carryOut(_ route: FirebaseRoute, for call: StorageCall) async throws -> Response {
        switch route {
        case .emulator: call.json(.object([("emulator", "storage")]))
        case .list(let bucket): try await list(bucket, for: call)
        case .upload(let bucket, let name), .continueUpload(let bucket, let name):
            try await upload(to: bucket, name: name, for: call)
        case .download(let path): try await download(path, for: call)
        case .metadata(let path): try await metadata(path, for: call)
        case .patch(let path): try await patch(path, for: call)
        case .delete(let path): try await delete(path)
        case .changeTokens(let path): try await changeTokens(path, for: call)
        }
    }
}

extension FirebaseAPI {
    /// Has reads and deletions judged; uploads and changes are judged inside the store's transaction, see `judging(_:)`.
    func authorize(_ route: FirebaseRoute, for call: StorageCall) async throws {
        guard let judge = context.judge(of: call) else { return }
        switch route {
        case .emulator, .upload, .continueUpload, .patch: return
        case .list(let bucket):
            try judge(.list(bucket, prefix: call.target["prefix"] ?? ""))
        case .download(let path), .metadata(let path):
            let object = try await blockingWork { [store] in try store.metadata(at: path) }
            guard object?.isOpened(by: call) != true else { return }
            try judge(.get(path, object))
        case .delete(let path):
            try judge(.delete(path, try await blockingWork { [store] in try store.metadata(at: path) }))
        case .changeTokens(let path): try judge(.changeTokens(path))
        }
    }
}

extension StorageContext {
    /// The judge of what a call does; `nil` where everything is allowed, as it is to administrators.
    func judge(of call: StorageCall) -> (@Sendable (StorageAccess) throws -> Void)? {
        guard let judge = self.judge.judge, !call.caller.isAdmin else { return nil }
        return { [caller = call.caller, exchange = call.exchange] access in
            var judgement = Judgement()
            defer { exchange.note(judgement) }
            try judge.authorize(access, for: caller, noting: &judgement)
        }
    }
}

extension ObjectMetadata {
    /// Whether the request carries one of the object's download tokens.
    func isOpened(by call: StorageCall) -> Bool {
        call.target["token"].map(attributes.downloadTokens.contains) ?? false
    }

    /// Throws for a request with a token that is none of the object's, unless an administrator makes it.
    ///
    /// A stale token in a document so shows up in development, where there may be no rules that would refuse it.
    func requireToken(of call: StorageCall) throws(StorageFailure) {
        guard call.target["token"] == nil || call.caller.isAdmin || isOpened(by: call) else { throw .permissionDenied }
    }
}

extension FirebaseAPI {
    /// Answers a page of a bucket's names; an absent bucket is empty.
    func list(_ bucket: BucketName, for call: StorageCall) async throws -> Response {
        let prefix = call.target["prefix"] ?? ""
        guard prefix.isEmpty || prefix.hasSuffix("/") else {
            throw StorageFailure.invalid(
                "The prefix parameter is required to be empty or ends with a single / character."
            )
        }
        // Both texts as recorded from production in 2026.
        guard call.target["maxResults"].map(Int64.init) != 0 else {
            throw StorageFailure.invalid("Expect maxResults to be a positive number.")
        }
        let query = ObjectListQuery(
            prefix: prefix,
            delimiter: call.target["delimiter"],
            pageToken: call.target.text("pageToken"),
            maxResults: try call.target.maxResults()
        )
        let page = try await blockingWork { [store] in try store.list(bucket, matching: query) }
        context.note(query, listedBy: call)
        return call.json(page.firebaseListing(of: bucket))
    }
}

extension ObjectListing {
    fileprivate func firebaseListing(of bucket: BucketName) -> JSONText {
        let names = items.map(\.name.description).filter(Self.isReference)
        let items = names.map { JSONText.object([("name", .string($0)), ("bucket", .string(bucket.description))]) }
        return .object(compacting: [
            ("prefixes", .array(prefixes.filter { !$0.hasPrefix("/") && !$0.contains("//") }.map(JSONText.string))),
            ("items", .array(items)),
            ("nextPageToken", nextPageToken.map(JSONText.string)),
        ])
    }

    /// Whether the Firebase SDKs can refer to a name: v0 listings leave out those with an empty segment, as the SDKs
    /// document for `list` ("The Firebase Storage List API will filter these unsupported objects", 2026).
    private static func isReference(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}
