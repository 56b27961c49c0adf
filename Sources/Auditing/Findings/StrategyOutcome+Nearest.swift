// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension StrategyOutcome {
    /// The simulated outcome that differs least from this one, the first of several: in the bytes of each cause, or where these
    /// are not known, in all bytes.
    func nearest(among outcomes: [StrategyOutcome]) -> StrategyOutcome? {
        outcomes.filter { $0.simulated != nil }.min { difference(from: $0) < difference(from: $1) }
    }

    private func difference(from other: StrategyOutcome) -> Int64 {
        guard let causes, let others = other.causes else { return abs(usage.sent.body - other.usage.sent.body) }
        return DownloadCause.allCases.reduce(0) { sum, cause in
            sum + abs(causes.amount(of: cause).byteCount - others.amount(of: cause).byteCount)
        }
    }
}
