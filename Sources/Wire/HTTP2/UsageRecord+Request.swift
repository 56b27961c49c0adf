// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageRecord {
    /// The record of bytes that belong to no request, or to one that another record counts.
    func countingNoRequest() -> UsageRecord {
        var record = self
        record.requestCount = 0
        return record
    }
}
