// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// A subscriber that asks for values only when it is made to.
// Unchecked because a subscription is not a Sendable type; it is set before anything is asked for.
final class FrugalSubscriber<Input: Sendable>: Subscriber, @unchecked Sendable {
    typealias Failure = Never

    /// A value, or `nil` for the end.
    let events: AsyncStream<Input?>
    private let sends: AsyncStream<Input?>.Continuation
    private let received = Locked<[Input]>([])
    private var subscription: (any Subscription)?

    init() { (events, sends) = AsyncStream.makeStream() }

    var values: [Input] { received.withLock { $0 } }

    func request(_ count: Int) { subscription?.request(.max(count)) }
    func cancel() { subscription?.cancel() }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        received.withLock { $0.append(input) }
        sends.yield(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { sends.yield(nil) }
}
