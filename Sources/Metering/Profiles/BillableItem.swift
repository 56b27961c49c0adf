// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a price list has a price or a free amount for.
public enum BillableItem: String, Sendable, Hashable, Codable, CaseIterable {
    /// Bytes that Cloud Storage sends.
    case storageEgressBytes = "storage.egressBytes"
    /// Class A operations of Cloud Storage; Firebase calls them upload operations.
    case storageClassA = "storage.classA"
    /// Class B operations of Cloud Storage; Firebase calls them download operations.
    case storageClassB = "storage.classB"
    /// Bytes of responses that Firestore sends.
    case firestoreEgressBytes = "firestore.egressBytes"
    /// Documents that Firestore reads.
    case documentReads = "firestore.documentReads"
    /// Documents that Firestore writes.
    case documentWrites = "firestore.documentWrites"
    /// Documents that Firestore deletes.
    case documentDeletes = "firestore.documentDeletes"

    /// The service that is used.
    public var service: UsageAttribution.Service {
        switch self {
        case .storageEgressBytes, .storageClassA, .storageClassB: .storage
        case .firestoreEgressBytes, .documentReads, .documentWrites, .documentDeletes: .firestore
        }
    }

    /// How much of it is in what a service was billed for.
    public func amount(in billed: BilledUsage) -> Int64 {
        switch self {
        case .storageEgressBytes, .firestoreEgressBytes: billed.egressBytes
        case .storageClassA: billed.classA
        case .storageClassB: billed.classB
        case .documentReads: billed.documentReads
        case .documentWrites: billed.documentWrites
        case .documentDeletes: billed.documentDeletes
        }
    }

    /// Whether it is counted in bytes, not in operations.
    public var isBytes: Bool { self == .storageEgressBytes || self == .firestoreEgressBytes }
}
