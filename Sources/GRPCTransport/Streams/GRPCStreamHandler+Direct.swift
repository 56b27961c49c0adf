// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The way of calls that plain functions answer.
extension GRPCStreamHandler {
    /// Answers a small call here; what is left of one that has more to say than a client is sent at once, or that has
    /// to wait, goes on as others do.
    func answerAtOnce(_ request: MessageReader.Message, _ steps: DirectSteps) {
        let output = steps.take(.respond(request))
        guard let next = output.next else { return write(output) }
        let direct = begin(steps, with: next)
        if case .wait(let answer) = next { direct.wait(for: answer) } else { write(output) }
    }

    func begin(_ steps: DirectSteps, with step: DirectSteps.Step) -> DirectCall {
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
