// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Hands each record to several sinks.
struct UsageFanOut: UsageRecording {
    let sinks: [any UsageRecording]

    func record(_ record: UsageRecord) {
        for sink in sinks { sink.record(record) }
    }

    func amend(_ former: UsageRecord, to record: UsageRecord) {
        for sink in sinks { sink.amend(former, to: record) }
    }
}
