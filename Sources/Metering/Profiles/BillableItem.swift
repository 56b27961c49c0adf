// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The items of price lists.
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
    /// Bytes that Firestore stores, on the average of a month's days; they are not metered, so a bill takes them as given.
    case firestoreStoredBytes = "firestore.storedBytes"
    /// Users who sign in during a month by e-mail, phone, a social provider, or anonymously.
    case tier1ActiveUsers = "auth.tier1ActiveUsers"
    /// Users who sign in during a month by OpenID Connect or SAML.
    case tier2ActiveUsers = "auth.tier2ActiveUsers"
    /// Messages that Authentication sends to phones.
    case smsMessages = "auth.smsMessages"

    /// The service that is used.
    public var service: UsageAttribution.Service {
        switch self {
        case .storageEgressBytes, .storageClassA, .storageClassB: .storage
        case .firestoreEgressBytes, .documentReads, .documentWrites, .documentDeletes, .firestoreStoredBytes: .firestore
        case .tier1ActiveUsers, .tier2ActiveUsers, .smsMessages: .auth
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
        case .firestoreStoredBytes: 0
        case .tier1ActiveUsers: billed.tier1ActiveUsers
        case .tier2ActiveUsers: billed.tier2ActiveUsers
        case .smsMessages: billed.smsMessages
        }
    }

    /// Whether it is counted in bytes, not in operations.
    public var isBytes: Bool { [.storageEgressBytes, .firestoreEgressBytes, .firestoreStoredBytes].contains(self) }

    /// Whether it is what is there, not what is done: a month's days are averaged, not added up.
    var isStock: Bool { self == .firestoreStoredBytes }

    /// Whether records show how much of it is used.
    package var isMetered: Bool { !isStock }
}
