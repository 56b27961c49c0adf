// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger

extension UsageLedger {
    func groups(by dimension: UsageDimension, since mark: UsageMark? = nil, tag: String? = nil) throws -> [UsageGroup] {
        let grouping = UsageQuestion.Grouping(by: dimension)
        let question = UsageQuestion(UsageSelection(since: mark, tag: tag), grouping: grouping)
        return try report(question).breakdown?.groups ?? []
    }
}

extension UsageLedgerLimits {
    static func flushing(recordCount: Int, waitingRecordCountMax: Int? = nil) -> Self {
        var limits = Self()
        limits.flushRecordCount = recordCount
        limits.waitingRecordCountMax = waitingRecordCountMax ?? limits.waitingRecordCountMax
        return limits
    }
}
