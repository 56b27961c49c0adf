// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore
import Wire

/// The resources shared by all APIs of the service: the objects, and what decides about calls.
struct StorageContext: Sendable {
    let store: SQLiteObjectStore
    let faults: FaultInjector
    /// The calls that are to fail without asking for it.
    let plannedFaults: PlannedFaults
    /// Reports which items are used up; `nil` where no call is refused when a quota is used up.
    let quota: (any QuotaGate)?
    /// Judges calls to the Firebase API; holds `nil` while every call is allowed.
    let judge: CurrentStorageJudge
    /// Notes the projects of calls; `nil` where they are not reported.
    let projects: ProjectWatch?
    /// Whether downloads note which object they answer with, and listings what they list.
    let recording: RecordingSwitch
    /// The time in microseconds since the Unix epoch.
    let clock: SQLiteObjectStore.Clock
    /// The keys that signatures are judged by.
    let signingKeys: SigningKeys
    /// Makes download tokens.
    let makeToken: @Sendable () -> String

    /// Throws where production refuses the operation because its quota is used up.
    func requireQuota(for operation: StorageOperation) throws(StorageFailure) {
        if quota?.isOver(operation.operationClass.items) == true { throw .quotaExceeded }
    }

    /// Throws where the call is to fail; preflights and the emulator's own calls are none of the service's.
    func meetPlannedFault(in call: StorageCall) throws(StorageFailure) {
        guard call.operation.faultMethod != nil else { return }
        let attribution = call.operation.attribution
        if let status = plannedFaults.status(of: attribution.operation, service: attribution.service) {
            throw .planned(status)
        }
    }
}
