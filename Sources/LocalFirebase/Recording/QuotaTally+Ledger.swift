// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering

extension QuotaTally {
    /// Begins with what the ledger has of this month.
    convenience init(_ configuration: EmulatorConfiguration, goingOnFrom ledger: UsageLedger) throws {
        self.init(profile: configuration.profile, isEnforced: configuration.enforcesQuota, now: configuration.now)
        for stretch in try ledger.billed(since: monthStart) {
            add(stretch.billed, of: stretch.service, at: stretch.startMicroseconds)
        }
    }
}
