// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering
import Wire

/// The faults that are to be planned instead of those that there are.
struct FaultsRequest: Decodable {
    struct Fault: Decodable {
        var service: String
        var operation: String?
        var status: Int
        var count: Int?
        var share: Double?
    }

    var faults: [Fault]

    /// The faults; throws 400 for one that cannot be planned.
    func planned() throws(ConsoleFailure) -> [PlannedFaults.Fault] {
        guard faults.count <= PlannedFaults.countMax else {
            throw .refusedFault("at most \(PlannedFaults.countMax) can be planned at a time.")
        }
        var planned: [PlannedFaults.Fault] = []
        for fault in faults { planned.append(try fault.planned()) }
        return planned
    }
}

extension FaultsRequest.Fault {
    fileprivate func planned() throws(ConsoleFailure) -> PlannedFaults.Fault {
        guard let service = UsageAttribution.Service(rawValue: service) else {
            let names = UsageAttribution.Service.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refusedFault("the service is one of \(names).")
        }
        guard operation?.hasPrefix("\(service.rawValue).") ?? true else {
            throw .refusedFault("the name of an operation of \(service.rawValue) begins with '\(service.rawValue).'.")
        }
        guard PlannedFaults.statuses.contains(status) else { throw .refusedFault("the status is from 400 to 599.") }
        guard count ?? 1 > 0 else { throw .refusedFault("the count is a number from 1 on.") }
        let share = share ?? 1
        guard share > 0, share <= 1 else {
            throw .refusedFault("the share is above 0 and at most 1.")
        }
        return PlannedFaults.Fault(service: service, operation: operation, status: status, count: count, share: share)
    }
}

extension ConsoleFailure {
    fileprivate static func refusedFault(_ reason: String) -> Self {
        Self(status: 400, message: "A fault cannot be planned so: \(reason)")
    }
}

extension PlannedFaults.Fault {
    var json: JSONText {
        .object(compacting: [
            ("service", .string(service.rawValue)),
            ("operation", operation.map { .string($0) }),
            ("status", .integer(Int64(status))),
            ("count", count.map { .integer(Int64($0)) }),
            ("share", share < 1 ? .number(share) : nil),
            ("met", .integer(Int64(metCount))),
        ])
    }
}
