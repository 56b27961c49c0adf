// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONReading
import Metering
import ObjectStore
import Wire

/// What a request to the official emulator's own paths asks for.
///
/// |request|answer|
/// |---|---|
/// |`POST /internal/export`, `{"path": DIR, "initiatedBy": WHO}`|200 when all objects are in the directory, 400 without a path|
/// |`POST /internal/reset`|200 when nothing is stored any more|
///
/// Source: firebase-tools 15.28.1, `src/emulator/storage/server.ts`.
enum InternalRoute: Equatable {
    case export
    case reset

    /// Returns `nil` for a request to any other API.
    init?(method: HTTPRequest.Method, path: Substring) {
        switch (method, path) {
        case (.post, "/internal/export"): self = .export
        case (.post, "/internal/reset"): self = .reset
        default: return nil
        }
    }
}

extension StorageServer {
    /// Writes all objects into a directory in the form of the official emulators' exports.
    package typealias Exporting = @Sendable (_ directory: String) throws -> Void

    /// Answers a request to the official emulator's own paths; returns `nil` for a request to any other.
    func answerInternal(_ call: StorageCall) async throws -> Response? {
        switch InternalRoute(method: call.method, path: call.target.path) {
        case nil: return nil
        case .export:
            try call.attribute("storage.export", .free)
            return try await answerExport(call)
        case .reset:
            try call.attribute("storage.reset", .free)
            try await blockingWork { [store] in try store.removeAll() }
            return .plain("OK", status: 200)
        }
    }

    private func answerExport(_ call: StorageCall) async throws -> Response {
        // A page of some site in the developer's browser must not write files; the official emulator lets it.
        guard call["Origin"] == nil, exportGate?.refusal(of: call.request.head) == nil else {
            return .plain("Export cannot be triggered by external callers.", status: 403)
        }
        guard let export else { throw StorageFailure.notImplemented("exports here") }
        guard let path = try await call.jsonBody()["path"]?.string, !path.isEmpty else {
            return .plain("Export request body must include 'path'.", status: 400)
        }
        if let fault = ExportPath.fault(in: path) { return .plain(fault, status: 400) }
        do {
            try await blockingWork { try export(path) }
        } catch {
            return .plain("Failed to export storage: \(error)", status: 500)
        }
        return .plain("OK", status: 200)
    }
}

extension Response {
    fileprivate static func plain(_ text: String, status: Int) -> Response {
        .text(text, contentType: "text/plain; charset=utf-8", status: status)
    }
}
