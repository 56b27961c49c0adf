// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Synchronization
import Testing
import Wire

struct `Planned faults` {
    @Test func `fail as many calls as planned, and then none`() {
        let faults = PlannedFaults()
        faults.replace(with: [.init(service: .storage, operation: "storage.objects.get", status: 503, count: 2)])
        let statuses = (0..<4).map { _ in faults.status(of: "storage.objects.get", service: .storage) }
        #expect(statuses == [503, 503, nil, nil])
        #expect(faults.isEmpty && faults.all.isEmpty)
    }

    @Test func `meet the calls that they name only`() {
        let faults = PlannedFaults()
        faults.replace(with: [
            .init(service: .firestore, operation: "firestore.commit", status: 409), .init(service: .auth, status: 500),
        ])
        #expect(faults.status(of: "firestore.commit", service: .firestore) == 409)
        #expect(faults.status(of: "firestore.runQuery", service: .firestore) == nil)
        #expect(faults.status(of: "auth.signUp", service: .auth) == 500)
        #expect(faults.status(of: "storage.objects.get", service: .storage) == nil)
        #expect(faults.all.map(\.metCount) == [1, 1])
    }

    @Test func `meet a share of the calls, drawn for each`() {
        let draws = Atomic<Int>(0)
        let faults = PlannedFaults { Double(draws.wrappingAdd(1, ordering: .relaxed).oldValue % 4) / 4 }
        faults.replace(with: [.init(service: .storage, status: 429, share: 0.5)])
        let statuses = (0..<8).map { _ in faults.status(of: "storage.objects.get", service: .storage) }
        #expect(statuses == [429, 429, nil, nil, 429, 429, nil, nil])
    }

    @Test func `keep how many calls have met them when others are planned`() {
        let faults = PlannedFaults()
        faults.replace(with: [.init(service: .storage, status: 503)])
        _ = faults.status(of: "storage.objects.get", service: .storage)
        faults.replace(with: [.init(service: .auth, status: 500), .init(service: .storage, status: 503)])
        #expect(faults.all.map(\.metCount) == [0, 1])
        faults.replace(with: [])
        #expect(faults.isEmpty)
    }
}
