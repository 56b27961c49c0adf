// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Gives every record to several takers.
struct UsageFanOut: UsageRecording {
    let sinks: [any UsageRecording]
    // Asked for every answer from memory.
    var takesRuns: Bool { sinks.allSatisfy(\.takesRuns) }

    func record(_ record: UsageRecord) {
        for sink in sinks { sink.record(record) }
    }

    func record(_ run: UsageRun) {
        for sink in sinks { sink.record(run) }
    }

    func amend(_ former: UsageRecord, to record: UsageRecord) {
        for sink in sinks { sink.amend(former, to: record) }
    }

    func recording(connectionFrom address: @autoclosure () -> String?) -> any UsageRecording {
        UsageFanOut(sinks: sinks.map { $0.recording(connectionFrom: address()) })
    }
}
