// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// What each service bills; a price list has other items for each.
package struct ServiceUsage: Sendable, Hashable {
    private var billed: [UsageAttribution.Service: BilledUsage] = [:]

    /// Creates a usage of nothing.
    package init() {}

    /// Adds what a service bills.
    package mutating func add(_ usage: BilledUsage, to service: UsageAttribution.Service) {
        billed[service] = (billed[service] ?? .zero) + usage
    }

    /// Adds another usage.
    package mutating func add(_ other: ServiceUsage) {
        for (service, usage) in other.billed { add(usage, to: service) }
    }

    /// How much of an item was used.
    package func amount(of item: BillableItem) -> Int64 {
        billed[item.service].map(item.amount) ?? 0
    }

    package static func == (left: Self, right: Self) -> Bool {
        UsageAttribution.Service.allCases.allSatisfy { (left.billed[$0] ?? .zero) == (right.billed[$0] ?? .zero) }
    }
}
