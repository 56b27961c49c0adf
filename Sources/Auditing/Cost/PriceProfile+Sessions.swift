// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension BillableItem {
    /// Whether sessions use it: their logs have no sign-ins.
    var isInSessions: Bool { service != .auth }
}

extension PriceProfile {
    /// The entries that the cost of a session depends on.
    var sessionCharges: [Charge] { charges.filter(\.item.isInSessions) }
}
