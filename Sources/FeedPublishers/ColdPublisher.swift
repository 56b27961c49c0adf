// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Asynchronous work as a publisher: it begins when a subscriber asks for a value, not before, once for each
/// subscription, and is cancelled with it.
///
/// A value is sent when the subscriber has asked for one more, and never after the subscription was cancelled.
public struct ColdPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    /// Work that sends values; `send` returns when the value was received, or the subscription cancelled.
    typealias Work = @Sendable (_ send: @Sendable (Output) async -> Void) async throws(Failure) -> Void

    private let work: Work

    /// Creates a publisher of the values that the work sends.
    init(sending work: @escaping Work) { self.work = work }

    /// Creates a publisher of the work's result.
    public init(_ work: @escaping @Sendable () async throws(Failure) -> Output) {
        self.init(sending: { send async throws(Failure) in await send(try await work()) })
    }

    /// Creates a publisher of a stream's values, each as it comes; those that no one asks for stay in the stream.
    ///
    /// The stream is made when the work begins. It ends when the subscription is cancelled.
    public init(values: @escaping @Sendable () async -> AsyncStream<Output>) where Failure == Never {
        self.init(sending: { send async in
            for await value in await values() { await send(value) }
        })
    }

    /// Creates a publisher of the result of work that fails only when it is cancelled, when no one is sent anything.
    init(unlessCancelled work: @escaping @Sendable () async throws -> Output) where Failure == Never {
        self.init(sending: { send async in
            guard let value = try? await work() else { return }
            await send(value)
        })
    }

    /// Attaches a subscriber.
    public func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(subscription: ColdSubscription(work, downstream: AnySubscriber(subscriber)))
    }
}
