// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

/// Lets calls fail as their headers ask for.
///
/// It stands between the route and what carries the call out, and so can do three things:
///
///     request ──▶ answer at once ──▶ faultPoint the upload's bytes ──▶ call ──▶ faultPoint the answer's bytes ──▶ client
///
/// A fault counts as met when it happens: an upload or an answer too short for it leaves it for the next call. Calls
/// without one of the headers are passed on untouched.
package struct FaultInjector: Sendable {
    /// Carries out a call.
    typealias Respond = (StorageCall) async throws -> Response

    let plans: FaultPlans
    let pause: @Sendable (Duration) async throws -> Void

    /// Creates an injector.
    ///
    /// - Parameters:
    ///   - plans: What tests have planned.
    ///   - pause: Lets time pass; tests need not wait.
    package init(
        plans: FaultPlans = FaultPlans(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.plans = plans
        self.pause = pause
    }

    /// Carries out a call, or lets it fail.
    ///
    /// - Parameters:
    ///   - call: The call, attributed to its operation.
    ///   - respond: Carries it out.
    /// - Returns: The answer, which may break off.
    /// - Throws: What `respond` throws; the failure planned; 404 for a plan that does not exist.
    func inject(into call: StorageCall, _ respond: Respond) async throws -> Response {
        guard let method = call.operation.faultMethod else { return try await respond(call) }
        switch FaultRequest(call.request.headers) {
        case nil:
            return try await respond(call)
        case .instruction(let instruction):
            return try await follow(instruction, for: call, respond)
        case .plan(let id):
            guard let pending = try plans.next(of: id, for: method) else { return try await respond(call) }
            let trigger = Trigger(effect: pending.fault.effect) { [plans] in plans.take(pending) }
            return try await pull(trigger, for: call, respond)
        }
    }

    /// The buckets that a listing is to find unreachable.
    func unreachableBuckets(for call: StorageCall) throws(StorageFailure) -> [String] {
        guard case .plan(let id) = FaultRequest(call.request.headers),
            let pending = try plans.next(of: id, for: "storage.buckets.list"),
            case .unreachableBuckets(let names) = pending.fault.effect, plans.take(pending)
        else { return [] }
        return names
    }
}

/// The headers by which a request asks to fail.
enum FaultRequest: Equatable {
    /// As the plan of this id says.
    case plan(String)
    /// As this instruction says, this once.
    case instruction(String)

    private static let planName = HTTPField.Name("x-retry-test-id")
    /// The second is what the testbench called it at first.
    private static let instructionNames = ["x-goog-emulator-instructions", "x-goog-testbench-instructions"]
        .compactMap { HTTPField.Name($0) }

    /// Returns `nil` for a request that asks for nothing of the kind.
    init?(_ fields: HTTPFields) {
        if let id = Self.planName.flatMap({ fields[$0] }), !id.isEmpty {
            self = .plan(id)
        } else if let instruction = Self.instructionNames.lazy.compactMap({ fields[$0] }).first, !instruction.isEmpty {
            self = .instruction(instruction)
        } else {
            return nil
        }
    }
}
