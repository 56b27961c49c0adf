// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The way of calls that plain functions answer.
extension GRPCStreamHandler {
    /// Answers a request here if that may be at once; otherwise on a thread, in its turn.
    func answer(
        _ request: MessageReader.Message,
        of method: DirectMethod,
        for metered: GRPCCall,
        atOnce: Bool
    ) -> ReadWork {
        let weight = method.weight(of: request)
        let steps = DirectSteps(method: method, call: metered, codec: codec)
        let isItsTurn = !method.isOrdered || wire.connection.isOrderIdle
        if atOnce, weight == .light, isItsTurn {
            // The request is not kept while a slow client takes the answer.
            call = .none
            answerAtOnce(request, steps: steps)
            return .none
        }
        let direct = begin(steps, with: .respond(request))
        if method.isOrdered {
            let id = ObjectIdentifier(metered)
            wire.connection.performInOrder(direct, id: id, isSmall: weight != .heavy, on: calls.executor)
            return .none
        }
        switch weight {
        case .light: return .small(direct)
        case .waiting: return .waiting(direct)
        case .heavy: calls.executor.run(direct)
        }
        return .none
    }

    /// Answers a small call here; what is left of one that has more to say than a client is sent at once, or that has
    /// to wait, continues as others do.
    private func answerAtOnce(_ request: MessageReader.Message, steps: DirectSteps) {
        let output = steps.take(.respond(request))
        guard let next = output.next else { return write(output) }
        let direct = begin(steps, with: next)
        if case .wait(let answer) = next { direct.wait(for: answer) } else { write(output) }
    }

    private func begin(_ steps: DirectSteps, with step: DirectSteps.Step) -> DirectCall {
        let direct = DirectCall(
            steps,
            beginningWith: step,
            calls: calls,
            connection: wire.connection,
            handler: self
        )
        call = .direct(direct)
        return direct
    }
}
