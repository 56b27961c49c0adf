// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes usage records off the request path.
public protocol UsageRecording: Sendable {
    /// Takes a record; returns without waiting for storage or other input and output.
    ///
    /// Called on the event loop that served the request, in the order in which requests ended there.
    func record(_ record: UsageRecord)

    /// Takes records that say the same at once, a while after the requests have ended.
    func record(_ run: UsageRun)

    /// Whether records may come a while after the requests have ended.
    var takesRuns: Bool { get }

    /// Takes a record in place of a former one: the kernel had taken an answer, and threw some of it away.
    func amend(_ former: UsageRecord, to record: UsageRecord)

    /// Returns the taker of the records of a connection that begins; `address` is the client's, without its port.
    func recording(connectionFrom address: @autoclosure () -> String?) -> any UsageRecording
}

extension UsageRecording {
    /// Takes one record after the other.
    public func record(_ run: UsageRun) {
        for record in run.records { self.record(record) }
    }

    /// They may.
    public var takesRuns: Bool { true }

    /// Takes the reverse of the former record, so that the sums are those of the new one alone.
    public func amend(_ former: UsageRecord, to record: UsageRecord) {
        self.record(former.reversed)
        self.record(record)
    }

    /// Itself: connections are not distinguished.
    public func recording(connectionFrom address: @autoclosure () -> String?) -> any UsageRecording { self }
}
