// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The answer to a call that writes: most are ready at once, some have to wait for transactions.
package enum WriteAnswer<Response: Sendable>: Sendable {
    case ready(Response)
    /// Has to be called, if only to be cancelled: until then the commit holds up others.
    case waiting(@Sendable () async throws -> Response)

    /// The answer with another form of the answer.
    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Response) throws -> Other
    ) rethrows -> WriteAnswer<Other> {
        switch self {
        case .ready(let response): .ready(try transform(response))
        case .waiting(let finish): .waiting { try transform(try await finish()) }
        }
    }

    /// The answer, waited for if need be.
    package func value() async throws -> Response {
        switch self {
        case .ready(let response): response
        case .waiting(let finish): try await finish()
        }
    }
}
