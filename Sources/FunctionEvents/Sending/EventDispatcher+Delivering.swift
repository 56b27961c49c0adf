// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

extension EventDispatcher {
    /// The outcome of an attempt.
    private enum Outcome {
        case succeeded
        case missing
        case refused(status: Int)
        case failed(EventPostError)

        var isTemporary: Bool {
            switch self {
            case .succeeded, .missing: false
            case .refused(let status): EventRetries.isTemporary(status)
            case .failed: true
            }
        }
    }

    /// Sends an event, again where that may help, and counts how that ended.
    func deliver(_ delivery: Delivery) async {
        let content: EventContent
        do {
            content = try delivery.make()
        } catch {
            count(delivery) { $0.failed += 1 }
            return warn(.damagedDocument)
        }
        var attemptCount = 1
        var outcome = await attempt(delivery, content)
        while outcome.isTemporary, let pause = retries.pause(afterAttempts: attemptCount) {
            guard (try? await clock.sleep(pause)) != nil, !isClosed else { break }
            count(delivery) { $0.repeated += 1 }
            attemptCount += 1
            outcome = await attempt(delivery, content)
        }
        finish(delivery, outcome)
    }

    private var isClosed: Bool { state.withLockedValue { $0.isClosed } }

    private func attempt(_ delivery: Delivery, _ content: EventContent) async -> Outcome {
        do {
            let status = try await poster.post(
                content.body,
                headers: content.headers,
                to: delivery.url,
                timeout: timeout
            )
            switch status {
            case 200..<300: return .succeeded
            case 404: return .missing
            default: return .refused(status: status)
            }
        } catch {
            return .failed(error)
        }
    }

    private func finish(_ delivery: Delivery, _ outcome: Outcome) {
        switch outcome {
        case .succeeded: return count(delivery) { $0.succeeded += 1 }
        case .missing:
            if let onMissing = delivery.onMissing { onMissing() } else { warn(.refused(status: 404)) }
        case .refused(let status): warn(.refused(status: status))
        case .failed(.timedOut): warn(.timedOut)
        case .failed(.unreachable): warn(.unreachable)
        }
        count(delivery) { $0.failed += 1 }
    }

    private func count(_ delivery: Delivery, _ change: (inout InvocationCounts) -> Void) {
        state.withLockedValue { $0.invocations.record(delivery.function, change) }
    }
}
