// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import NIOConcurrencyHelpers

/// The plans of all tests that are under way.
///
/// Plans are held in memory only; beyond ``planCountMax`` the oldest is dropped, for tests that never delete theirs.
package final class FaultPlans: Sendable {
    /// The most plans that are kept.
    package static let planCountMax = 1_024

    private struct State {
        var plans: [String: FaultPlan] = [:]
        /// The ids of the plans, the oldest first.
        var order: [String] = []
    }

    /// A fault that is about to happen.
    struct Pending: Sendable {
        let fault: Fault
        fileprivate let id: String
        fileprivate let method: String
        fileprivate let place: Int
    }

    private let state = NIOLockedValueBox(State())
    private let makeID: @Sendable () -> String

    /// Creates a store without plans.
    ///
    /// - Parameter makeID: Makes the ids of plans; 32 random hexadecimal digits by default.
    package init(makeID: @escaping @Sendable () -> String = randomID) {
        self.makeID = makeID
    }

    /// Returns 32 random hexadecimal digits.
    package static func randomID() -> String {
        UUID().uuidString.replacing("-", with: "").lowercased()
    }

    /// Adds a plan.
    func add(_ requested: FaultPlanRequest) -> FaultPlan {
        let plan = FaultPlan(id: makeID(), transport: requested.transport, faults: requested.faults)
        state.withLockedValue { state in
            state.plans[plan.id] = plan
            state.order.append(plan.id)
            if state.order.count > Self.planCountMax { state.plans[state.order.removeFirst()] = nil }
        }
        return plan
    }

    /// Returns a plan; throws 404 when there is none.
    func plan(_ id: String) throws(StorageFailure) -> FaultPlan {
        guard let plan = state.withLockedValue({ $0.plans[id] }) else { throw .noSuchFaultPlan(id) }
        return plan
    }

    /// Returns all plans, the oldest first.
    func all() -> [FaultPlan] {
        state.withLockedValue { state in state.order.compactMap { state.plans[$0] } }
    }

    /// Forgets a plan; throws 404 when there is none.
    func delete(_ id: String) throws(StorageFailure) {
        let isDeleted = state.withLockedValue { state in
            state.order.removeAll { $0 == id }
            return state.plans.removeValue(forKey: id) != nil
        }
        guard isDeleted else { throw .noSuchFaultPlan(id) }
    }

    /// Returns the fault that a plan has next for a call over HTTP; it stays until it is taken.
    func next(of id: String, for method: String) throws(StorageFailure) -> Pending? {
        let plan = try plan(id)
        guard plan.transport == .http, let (fault, place) = plan.next(for: method) else { return nil }
        return Pending(fault: fault, id: id, method: method, place: place)
    }

    /// Takes a fault that happens now; returns false when another call has met it, or the plan is gone.
    func take(_ pending: Pending) -> Bool {
        state.withLockedValue { state in
            state.plans[pending.id]?.take(pending.method, place: pending.place) ?? false
        }
    }
}

extension StorageFailure {
    fileprivate static func noSuchFaultPlan(_ id: String) -> Self {
        Self(status: 404, message: "Retry Test \(id) does not exist.", reason: "notFound")
    }
}

/// A request to make a plan, validated.
struct FaultPlanRequest {
    /// The largest request, in bytes.
    static let byteCountMax = 64 << 10

    let transport: FaultPlan.Transport
    let faults: [String: [Fault]]

    private struct Body: Decodable {
        var instructions: [String: [String]]?
        var transport: String?
    }

    /// Reads the JSON; returns `nil` when it asks for no fault.
    init?(_ json: [UInt8]) throws(StorageFailure) {
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: Data(json))
        } catch {
            throw .invalid("The body must be a JSON object; instructions hold lists of strings by method.")
        }
        guard let instructions = body.instructions, !instructions.isEmpty else { return nil }
        let name = body.transport ?? FaultPlan.Transport.http.rawValue
        guard let transport = FaultPlan.Transport(rawValue: name.uppercased()) else {
            throw .invalid("The requested transport <\(name)> is not supported; it must be HTTP or GRPC.")
        }
        self.transport = transport
        faults = try Self.faults(instructions)
    }

    private static func faults(_ instructions: [String: [String]]) throws(StorageFailure) -> [String: [Fault]] {
        var faults: [String: [Fault]] = [:]
        for (method, texts) in instructions.sorted(by: { $0.key < $1.key }) {
            guard Fault.methods.contains(method) else {
                throw .invalid("The requested method <\(method)> for fault injection is invalid.")
            }
            var queue: [Fault] = []
            for text in texts {
                guard let fault = Fault(text) else {
                    throw .invalid("The fault injection request <\(text)> is invalid.")
                }
                queue.append(fault)
            }
            faults[method] = queue
        }
        return faults
    }
}
