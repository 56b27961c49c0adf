// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

/// The API that production does not have: the official emulator's paths, the fault plans of Google's testbench, and preflights.
struct EmulatorAPI: StorageAPI {
    let context: StorageContext
    let export: StorageServer.Exporting?
    let exportGate: SameOriginGate?
    let rules: (any StorageRulesEndpoint)?

    func route(_ call: StorageCall) throws -> EmulatorRoute {
        if call.request.method == .options { return .preflight }
        return try EmulatorRoute(method: call.method, path: call.target.path)
    }

    func authorize(_ route: EmulatorRoute, for call: StorageCall) {}

    func handle(_ route: EmulatorRoute, for call: StorageCall) async throws -> Response {
        switch route {
        case .preflight: return .preflight(for: call.request)
        case .faults(let route): return try await answer(route, for: call)
        case .export: return try await answerExport(call)
        case .setRules: return try await answerSetRules(call)
        case .reset:
            try await blockingWork { [store] in try store.removeAll() }
            return .plain("OK")
        }
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response {
        JSONAPI(context: context).failure(error, of: call)
    }
}

/// A request to the emulator's own paths.
///
/// |request|answer|
/// |---|---|
/// |`OPTIONS` of any path|204 with what a page of any origin may send|
/// |`POST /internal/export`, `{"path": DIR, "initiatedBy": WHO}`|200 when all objects are in the directory, 400 without a path|
/// |`POST /internal/reset`|200 when nothing is stored any more|
/// |`PUT /internal/setRules`, `{"rules": {"files": [{"name": NAME, "content": RULES, "resource": BUCKET}]}}`|200 when they are in force|
/// |`/retry_test`, `/retry_tests`|see ``FaultRoute``|
///
/// Source: firebase-tools 15.28.1, `src/emulator/storage/server.ts`.
enum EmulatorRoute: Equatable, StorageRoute {
    case preflight
    case faults(FaultRoute)
    case export
    case reset
    case setRules

    /// Throws 404 for an unknown path, and 405 for a method that a path does not know.
    init(method: HTTPRequest.Method, path: Substring) throws(StorageFailure) {
        switch (method, path) {
        case (.post, "/internal/export"): self = .export
        case (.post, "/internal/reset"): self = .reset
        case (.put, "/internal/setRules"): self = .setRules
        default: self = .faults(try FaultRoute(method: method, path: path))
        }
    }

    var operation: StorageOperation {
        switch self {
        case .preflight: StorageOperation(ofEmulator: "preflight")
        case .faults: StorageOperation(ofEmulator: "faults")
        case .export: StorageOperation(ofEmulator: "export")
        case .reset: StorageOperation(ofEmulator: "reset")
        case .setRules: StorageOperation(ofEmulator: "setRules")
        }
    }
}

extension Response {
    static func plain(_ text: String, status: Int = 200) -> Response {
        .text(text, contentType: "text/plain; charset=utf-8", status: status)
    }
}

extension EmulatorAPI {
    /// Writes all objects into a directory of the developer's machine.
    func answerExport(_ call: StorageCall) async throws -> Response {
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
            try await export(path)
        } catch {
            return .plain("Failed to export storage: \(error)", status: 500)
        }
        return .plain("OK")
    }
}

extension EmulatorAPI {
    /// Puts Security Rules in force.
    func answerSetRules(_ call: StorageCall) async throws -> Response {
        guard let rules else { throw StorageFailure.notImplemented("rules here") }
        let body = try JSONValue(parsing: await WholeBody(of: call.request).collected(upTo: Self.rulesByteCountMax))
        guard let files = body["rules"]?["files"]?.array, !files.isEmpty else {
            return Self.message("Request body must include 'rules.files' array", status: 400)
        }
        switch rules.put(files) {
        case .updated: return Self.message("Rules updated successfully")
        case .refused(let message, let issues): return Self.message(message, issues, status: 400)
        }
    }

    /// Far above the 256 KB that production takes (firebase.google.com/docs/rules/manage-deploy, 2026-11).
    private static let rulesByteCountMax = 4 << 20

    private static func message(_ text: String, _ issues: [String] = [], status: Int = 200) -> Response {
        let members: [(String, JSONText?)] = [
            ("message", .string(text)), ("issues", issues.isEmpty ? nil : .array(issues.map(JSONText.string))),
        ]
        return .json(.object(compacting: members), status: status)
    }
}

/// A request to the fault API.
///
/// The paths are those of Google's storage testbench, whose retry suites run against them; no bucket can be reached
/// under these two names over the XML API.
enum FaultRoute: Equatable {
    case add
    case list
    case plan(String)
    case delete(String)

    /// Throws 404 for an unknown path, and 405 for a method that a path does not know.
    init(method: HTTPRequest.Method, path: Substring) throws(StorageFailure) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (segments.first, segments.count, method) {
        case ("retry_tests", 1, .get): self = .list
        case ("retry_test", 1, .post): self = .add
        case ("retry_test", 2, .get): self = .plan(String(segments[2]))
        case ("retry_test", 2, .delete): self = .delete(String(segments[2]))
        case ("retry_tests", 1, _), ("retry_test", 1...2, _): throw .methodNotAllowed
        default: throw .unknownPath
        }
    }
}

extension EmulatorAPI {
    /// Answers a request to the fault API.
    func answer(_ route: FaultRoute, for call: StorageCall) async throws -> Response {
        let faults = context.faults
        switch route {
        case .add: return try await addFaultPlan(call)
        case .list: return call.json(.object([("retry_test", .array(faults.plans.all().map(\.resource)))]))
        case .plan(let id): return call.json(try faults.plans.plan(id).resource)
        case .delete(let id):
            try faults.plans.delete(id)
            return .plain("Deleted \(id)")
        }
    }

    private func addFaultPlan(_ call: StorageCall) async throws -> Response {
        let json = try await WholeBody(of: call.request).collected(upTo: FaultPlanRequest.byteCountMax)
        guard let requested = try FaultPlanRequest(json) else {
            return .plain("instructions is not defined", status: 400)
        }
        return call.json(context.faults.plans.add(requested).resource)
    }
}
