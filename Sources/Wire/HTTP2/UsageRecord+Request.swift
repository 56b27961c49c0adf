// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageRecord {
    /// The record of bytes that belong to no request, or to one that another record counts.
    ///
    /// The sums of usage count a record as a request; until records can say that they are none, so does this one.
    func countingNoRequest() -> UsageRecord { self }
}
