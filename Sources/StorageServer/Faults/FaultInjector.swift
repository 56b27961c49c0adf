// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Wire

/// Lets calls fail as their headers ask for.
///
/// It stands between the route and what carries the call out, and so can do three things:
///
///     request ──▶ answer at once ──▶ strike the upload's bytes ──▶ call ──▶ strike the answer's bytes ──▶ client
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
    ///   - call: The call.
    ///   - operation: Its method, such as `storage.objects.get`, see ``Fault/methods``.
    ///   - respond: Carries it out.
    /// - Returns: The answer, which may break off.
    /// - Throws: What `respond` throws; the failure planned; 404 for a plan that does not exist.
    func inject(into call: StorageCall, operation: String, _ respond: Respond) async throws -> Response {
        switch FaultDemand(call.request.headers) {
        case nil:
            return try await respond(call)
        case .instruction(let instruction):
            return try await follow(instruction, call, operation, respond)
        case .plan(let id):
            guard let pending = try plans.next(of: id, for: operation) else { return try await respond(call) }
            let trigger = Trigger(effect: pending.fault.effect) { [plans] in plans.take(pending) }
            return try await pull(trigger, call, operation, respond)
        }
    }

    /// The buckets that a listing is to find unreachable.
    func unreachableBuckets(for call: StorageCall) throws(StorageFailure) -> [String] {
        guard case .plan(let id) = FaultDemand(call.request.headers),
            let pending = try plans.next(of: id, for: "storage.buckets.list"),
            case .unreachableBuckets(let names) = pending.fault.effect, plans.take(pending)
        else { return [] }
        return names
    }
}
