// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A label of an object, by which listings can be filtered.
package struct ObjectContext: Hashable, Codable, Sendable {
    /// The client's message.
    package var value: String
    /// When the label was first set, in microseconds since the Unix epoch.
    package var timeCreated: Int64
    /// When its value was last set, in microseconds since the Unix epoch.
    package var timeUpdated: Int64

    /// Creates a label.
    package init(value: String, timeCreated: Int64, timeUpdated: Int64) {
        self.value = value
        self.timeCreated = timeCreated
        self.timeUpdated = timeUpdated
    }
}
