// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import ObjectStore

/// One of the service's APIs: it reads requests, carries them out, and words failures.
///
/// Every call takes one way:
///
///     route ──▶ attribute ──▶ quota ──▶ judge ──▶ (fault) ──▶ handle ──▶ answer
///       └─────────────┴──────────┴─────────┴─────────┴─────────┴──────▶ failure
protocol StorageAPI: Sendable {
    associatedtype Route: StorageRoute

    var context: StorageContext { get }

    /// Reads what a call asks for.
    func route(_ call: StorageCall) throws -> Route
    /// Throws where the caller may not make the call.
    func authorize(_ route: Route, for call: StorageCall) async throws
    /// Carries a call out.
    func handle(_ route: Route, for call: StorageCall) async throws -> Response
    /// The answer to a call that failed at any stage.
    func failure(_ error: any Error, of call: StorageCall) -> Response
}

/// A request to an API.
protocol StorageRoute: Sendable {
    /// The operation that is metered, charged, and may be planned to fail.
    var operation: StorageOperation { get }
}

extension StorageAPI {
    var store: SQLiteObjectStore { context.store }
    var uploads: ObjectUploads { ObjectUploads(context: context) }
    var downloads: ObjectDownloads { ObjectDownloads(context: context) }

    /// Answers a call, which a browser's page of any origin may have made.
    func respond(to call: StorageCall) async -> Response {
        var response: Response
        do {
            response = try await carryOut(call)
        } catch {
            response = failure(error, of: call)
        }
        response.headers.allowCrossOrigin(for: call.request)
        return response
    }

    private func carryOut(_ call: StorageCall) async throws -> Response {
        let route = try route(call)
        // Attributed before anything may fail on purpose: a call that fails is recorded as that call.
        let call = call.attributed(to: route.operation)
        context.noteProject(of: call)
        try context.meetPlannedFault(in: call)
        try context.requireQuota(for: call.operation)
        try await authorize(route, for: call)
        return try await context.faults.inject(into: call) { try await handle(route, for: $0) }
    }
}

/// The API that a request belongs to, by its path; the values are kept with resumable uploads.
enum StorageAPIName: String, Codable, Sendable {
    /// The Firebase v0 API.
    case firebase
    /// Google's JSON API.
    case json
    /// Google's XML API.
    case xml
    /// The paths of the official emulator and of Google's storage testbench.
    case emulator

    /// Chooses by the first segments of a path: those that no other API has are buckets of the XML API.
    init(path: Substring) {
        let segments = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst()
        let second = segments.dropFirst().first
        switch segments.first {
        case "v0": self = .firebase
        case "internal", "retry_test", "retry_tests": self = .emulator
        case "b", "batch", "projects": self = .json
        case "storage" where second == "v1": self = .json
        case "upload" where second == "storage" || second == "b": self = .json
        case "download" where second == "storage" || second == "b": self = .json
        case "resumable" where second == "upload": self = .json
        default: self = .xml
        }
    }
}
