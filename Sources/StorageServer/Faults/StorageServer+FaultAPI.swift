// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Metering
import Wire

/// What a request to the fault API asks for.
///
/// The paths are those of Google's storage testbench, whose retry suites run against them; no bucket can be reached
/// under these two names over the XML API.
enum FaultRoute: Equatable {
    case add
    case list
    case plan(String)
    case delete(String)

    /// Returns `nil` for a request to any other API; throws 405 for a method that the path does not know.
    init?(method: HTTPRequest.Method, path: Substring) throws(StorageFailure) {
        guard path.hasPrefix("/retry_test") else { return nil }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (segments.first, segments.count, method) {
        case ("retry_tests", 1, .get): self = .list
        case ("retry_test", 1, .post): self = .add
        case ("retry_test", 2, .get): self = .plan(String(segments[2]))
        case ("retry_test", 2, .delete): self = .delete(String(segments[2]))
        case ("retry_tests", 1, _), ("retry_test", 1...2, _): throw .methodNotAllowed
        default: return nil
        }
    }
}

extension StorageServer {
    /// Answers a request to the fault API; returns `nil` for a request to another one.
    func answerFaultAPI(_ call: StorageCall) async throws -> Response? {
        guard let route = try FaultRoute(method: call.method, path: call.target.path) else { return nil }
        try call.attribute("storage.faults", .free)
        switch route {
        case .add: return try await addFaultPlan(call)
        case .list: return call.json(.object([("retry_test", .array(faults.plans.all().map(\.resource)))]))
        case .plan(let id): return call.json(try faults.plans.plan(id).resource)
        case .delete(let id):
            try faults.plans.delete(id)
            return .text("Deleted \(id)", contentType: "text/plain; charset=utf-8")
        }
    }

    private func addFaultPlan(_ call: StorageCall) async throws -> Response {
        let json = try await WholeBody(of: call.request).collected(upTo: FaultPlanWish.byteCountMax)
        guard let wish = try FaultPlanWish(json) else {
            return .text("instructions is not defined", contentType: "text/plain; charset=utf-8", status: 400)
        }
        return call.json(faults.plans.add(wish).resource)
    }
}
