// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import NIOConcurrencyHelpers
import Synchronization

/// Calls of any client that are to fail: planned and replaced while the servers run.
///
/// A call that fails is attributed to its operation, and recorded with the status of the fault; nothing of it is carried out.
package final class PlannedFaults: Sendable {
    /// The most faults that are planned at a time.
    package static let countMax = 100
    /// The statuses that a call can fail with.
    package static let statuses = 400...599

    /// Some calls of a service that fail.
    package struct Fault: Sendable, Hashable {
        /// The service.
        package var service: UsageAttribution.Service
        /// The operation as usage records name it, such as `storage.objects.get`; `nil` stands for all of the service.
        package var operation: String?
        /// The HTTP status of the answer; over gRPC, and by its name in the answer, the code that goes with it.
        package var status: Int
        /// How many calls are yet to fail; `nil` for all.
        package var count: Int?
        /// The share of the calls that fails, above 0 and up to 1.
        package var share: Double
        /// How many calls have failed.
        package var metCount = 0

        /// Plans a fault that no call has met.
        package init(
            service: UsageAttribution.Service,
            operation: String? = nil,
            status: Int,
            count: Int? = nil,
            share: Double = 1
        ) {
            (self.service, self.operation, self.status) = (service, operation, status)
            (self.count, self.share) = (count, share)
        }

        fileprivate func isLike(_ other: Fault) -> Bool {
            service == other.service && operation == other.operation && status == other.status && share == other.share
        }
    }

    private let faults = NIOLockedValueBox<[Fault]>([])
    /// Spares calls the lock while nothing is planned.
    private let plannedCount = Atomic<Int>(0)
    private let chance: @Sendable () -> Double

    /// Creates a plan without faults.
    ///
    /// - Parameter chance: Draws from 0 up to, but not including, 1, by which a share of the calls is chosen.
    package init(chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
        self.chance = chance
    }

    /// Whether nothing is planned.
    package var isEmpty: Bool { plannedCount.load(ordering: .relaxed) == 0 }

    /// The faults, those that all their calls have met left out.
    package var all: [Fault] { faults.withLockedValue { $0 } }

    /// Plans these faults instead; one that was planned before keeps how many calls have met it.
    package func replace(with planned: [Fault]) {
        faults.withLockedValue { faults in
            faults = planned.map { fault in
                var fault = fault
                fault.metCount = faults.first { $0.isLike(fault) }?.metCount ?? 0
                return fault
            }
            plannedCount.store(faults.count, ordering: .relaxed)
        }
    }

    /// Returns the status with which a call is to fail, by the first fault that it meets; `nil` where it is carried out.
    package func status(of operation: String, service: UsageAttribution.Service) -> Int? {
        isEmpty ? nil : meet(operation, of: service)
    }

    private func meet(_ operation: String, of service: UsageAttribution.Service) -> Int? {
        faults.withLockedValue { faults in
            let met = faults.firstIndex { fault in
                fault.service == service && (fault.operation ?? operation) == operation
                    && (fault.share >= 1 || chance() < fault.share)
            }
            guard let met else { return nil }
            let status = faults[met].status
            faults[met].metCount += 1
            faults[met].count = faults[met].count.map { $0 - 1 }
            if faults[met].count == 0 {
                faults.remove(at: met)
                plannedCount.store(faults.count, ordering: .relaxed)
            }
            return status
        }
    }
}
