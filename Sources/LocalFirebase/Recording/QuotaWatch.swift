// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering
import ServiceLifecycle

/// Reports how much of the quota is used, at the beginning and whenever that has changed.
struct QuotaWatch: Service {
    /// How often it looks.
    static let interval = Duration.milliseconds(500)

    let quota: QuotaTally
    let onChange: @Sendable (QuotaStatus) -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last: QuotaStatus?
            repeat {
                let status = quota.status
                if status != last { onChange(status) }
                last = status
            } while (try? await ContinuousClock().sleep(for: Self.interval)) != nil
        }
    }
}
