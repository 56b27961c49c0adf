// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers

/// Where events are sent.
package struct EventDestinations: Sendable {
    /// The official Functions emulator.
    package var functions: FunctionsAddress?
    /// The only project whose users and objects are of interest to the Functions emulator; `nil` for all.
    ///
    /// It takes them for its own project's, whichever the event is of.
    package var functionsProject: String?
    /// URLs for CloudEvents.
    package var subscriptions: [EventSubscription]
    /// The region that events name.
    package var location = "us-central1"

    /// Creates destinations.
    package init(functions: FunctionsAddress? = nil, subscriptions: [EventSubscription] = []) {
        (self.functions, self.subscriptions) = (functions, subscriptions)
    }
}

/// Sends the changes of documents, objects and users to functions.
///
///     documentChanged ──▶ TriggerRegistry ──┐
///     objectChanged, userCreated … ─────────┼──▶ EventDispatcher ──▶ the Functions emulator
///                                           └──▶ EventDispatcher ──▶ each URL
///
/// None of the calls waits for a function.
package final class FunctionEvents: Sendable {
    struct State {
        var registry = TriggerRegistry()
        var isEnabled = true
        /// The project of the Functions emulator's functions, where it is another one.
        var foreignProject: String?
    }

    /// A URL and the sender of its events.
    struct Subscriber {
        let subscription: EventSubscription
        let dispatcher: EventDispatcher
    }

    let destinations: EventDestinations
    let functions: EventDispatcher
    let subscribers: [Subscriber]
    let state = NIOLockedValueBox(State())
    let clock: EventClock
    let makeID: @Sendable () -> String

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - destinations: Where events are sent.
    ///   - limits: The bounds of what waits.
    ///   - poster: Sends them.
    ///   - clock: The time.
    ///   - makeID: Makes the ids of events.
    ///   - report: Takes warnings, each kind of them once for each destination.
    package init(
        _ destinations: EventDestinations,
        limits: EventLimits = EventLimits(),
        poster: any EventPosting = HTTPEventPoster(),
        clock: EventClock,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        report: @escaping @Sendable (String) -> Void
    ) {
        self.destinations = destinations
        (self.clock, self.makeID) = (clock, makeID)
        functions = EventDispatcher(
            "The Functions emulator",
            limits: limits,
            parallelMax: limits.functionsParallelMax,
            pace: limits.pace,
            retries: .never,
            poster: poster,
            clock: clock,
            report: report
        )
        subscribers = destinations.subscriptions.map { subscription in
            let dispatcher = EventDispatcher(
                subscription.url,
                limits: limits,
                parallelMax: limits.subscriptionParallelMax,
                retries: .fewTimes,
                poster: poster,
                clock: clock,
                report: report
            )
            return Subscriber(subscription: subscription, dispatcher: dispatcher)
        }
    }

    /// Whether events are sent, but for those of HTTP functions, which are called directly.
    package var isEnabled: Bool { state.withLockedValue { $0.isEnabled } }

    /// Sends events again, as the hub's `/functions/enableBackgroundTriggers` asks for.
    package func enable() { state.withLockedValue { $0.isEnabled = true } }

    /// Sends no events of further changes, as the hub's `/functions/disableBackgroundTriggers` asks for.
    package func disable() { state.withLockedValue { $0.isEnabled = false } }

    /// Sends what waits, for a time at most, and then nothing more.
    package func finish(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.idle() }
            group.addTask { [clock] in try? await clock.sleep(limit) }
            await group.next()
            close()
            group.cancelAll()
        }
    }

    /// Returns once all events are sent and answered.
    package func idle() async {
        await functions.idle()
        for subscriber in subscribers { await subscriber.dispatcher.idle() }
    }

    /// Sends nothing more, and forgets what waits.
    package func close() {
        functions.close()
        for subscriber in subscribers { subscriber.dispatcher.close() }
    }

    /// The runs by function; those of users and objects by event type, and those sent to URLs by URL.
    package var invocations: [String: InvocationCounts] {
        var all = functions.invocations
        for subscriber in subscribers {
            all.merge(subscriber.dispatcher.invocations) { first, _ in first }
        }
        return all
    }
}
