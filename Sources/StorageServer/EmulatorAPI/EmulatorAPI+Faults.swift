// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Wire

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
    func answer(_ route: FaultRoute, _ call: StorageCall) async throws -> Response {
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
