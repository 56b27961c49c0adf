// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSONReading
package import Metering

/// One metered request in a session log.
package struct SessionRequest: Sendable, Hashable {
    /// The metered usage; its time counts from the Unix epoch, in microseconds.
    package var record: UsageRecord
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates a request line.
    package init(record: UsageRecord, extra: [String: JSONValue] = [:]) {
        self.record = record
        self.extra = extra
    }
}
