// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// The bill of each service; a price list has other items for each.
package struct ServiceUsage: Sendable, Hashable, Codable {
    /// By the names of services.
    private var billed: [String: BilledUsage] = [:]

    /// Creates a usage of nothing.
    package init() {}

    /// Adds what a service bills.
    package mutating func add(_ usage: BilledUsage, to service: UsageAttribution.Service) {
        billed[service.rawValue] = (billed[service.rawValue] ?? .zero) + usage
    }

    /// Adds another usage.
    package mutating func add(_ other: ServiceUsage) {
        billed.merge(other.billed) { $0 + $1 }
    }

    /// Whether all amounts are such as a part of a log can have.
    var isPlausible: Bool {
        billed.values.allSatisfy { usage in
            [
                usage.egressBytes, usage.classA, usage.classB, usage.documentReads, usage.documentWrites,
                usage.documentDeletes,
            ]
            .allSatisfy(StrategyPart.range.contains)
        }
    }

    /// How much of an item was used.
    package func amount(of item: BillableItem) -> Int64 {
        billed[item.service.rawValue].map(item.amount) ?? 0
    }

    package static func == (left: Self, right: Self) -> Bool {
        UsageAttribution.Service.allCases.allSatisfy {
            (left.billed[$0.rawValue] ?? .zero) == (right.billed[$0.rawValue] ?? .zero)
        }
    }
}
