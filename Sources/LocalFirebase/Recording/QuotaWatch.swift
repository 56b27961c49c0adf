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
                // A cancelled sleep throws, and that is the way out.
            } while (try? await ContinuousClock().sleep(for: Self.interval)) != nil
        }
    }
}

extension QuotaTally {
    /// Begins with what the ledger has of this month.
    convenience init(_ configuration: EmulatorConfiguration, goingOnFrom ledger: UsageLedger) throws {
        self.init(profile: configuration.profile, isEnforced: configuration.enforcesQuota, now: configuration.now)
        for stretch in try ledger.billed(since: monthStart) {
            add(stretch.billed, of: stretch.service, at: stretch.startMicroseconds)
        }
    }
}
