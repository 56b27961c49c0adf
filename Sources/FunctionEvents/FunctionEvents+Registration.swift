// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

extension FunctionEvents {
    /// Answers requests of the Functions emulator that register triggers on documents.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and query, as they were sent.
    ///   - body: The body.
    /// - Returns: The answer; `nil` for a request that is for others.
    package func answer(method: String, target: String, body: [UInt8]) -> TriggerAnswer? {
        do {
            guard let request = try TriggerRequests.read(method: method, target: target, body: body) else { return nil }
            try register(request.trigger, project: request.project)
            return request.answer
        } catch {
            return TriggerAnswer(error)
        }
    }

    /// The number of triggers on documents.
    package var triggerCount: Int { state.withLockedValue { $0.registry.count } }

    private func register(_ trigger: DocumentTrigger, project: String) throws(TriggerFailure) {
        guard destinations.functions != nil else { throw .unaddressed }
        let time = clock.microseconds()
        let outcome = state.withLockedValue { state -> Result<Void, TriggerFailure> in
            Result { () throws(TriggerFailure) in
                try state.registry.register(trigger, project: project, at: time)
            }
        }
        try outcome.get()
    }

    /// Takes the triggers that were found in the place of those that were found before.
    func use(_ found: FoundFunctions, project: String) {
        let time = clock.microseconds()
        state.withLockedValue { state in
            state.foreignProject = found.foreignProject
            state.registry.replaceFound(with: found.triggers, project: project, at: time)
        }
    }

    /// Forgets a trigger whose function is unknown, such as one that was changed since.
    func drop(_ registration: TriggerRegistry.Registration, project: String) {
        let time = clock.microseconds()
        state.withLockedValue { $0.registry.drop(registration, project: project, at: time) }
    }
}
