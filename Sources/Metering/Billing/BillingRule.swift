// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the price rules turn one finished exchange into billed quantities.
public enum BillingRule: Sendable, Hashable {
    /// Nothing is billed, whatever happens.
    case free
    /// A Cloud Storage operation of the given class.
    ///
    /// "Transfer is charged on bytes actually sent" (Cloud Storage pricing, 2026-05-16): a download that breaks off
    /// costs what left.
    case storage(StorageOperationClass)
    /// A Firestore operation whose document counts the server already knows.
    ///
    /// The counts stay when the answer is an error: a get of a missing document is a read. Transfer is "on serialized
    /// response size", without the protocol around it (Firestore pricing, 2026-11); that errors are not transfer is
    /// our inference from Cloud Storage.
    case firestore(BilledUsage)

    /// Returns what is billed for an exchange that ended with `status` after `sentBodyBytes` left.
    public func billed(status: Int, sentBodyBytes: Int64) -> BilledUsage {
        switch self {
        case .free:
            return .zero
        case .storage(let operationClass):
            guard Self.isCharged(status) else { return .zero }
            return BilledUsage(
                egressBytes: sentBodyBytes,
                classA: operationClass == .classA ? 1 : 0,
                classB: operationClass == .classB ? 1 : 0
            )
        case .firestore(var billed):
            billed.egressBytes = Self.isCharged(status) ? sentBodyBytes : 0
            return billed
        }
    }

    /// Whether an answer with this status is charged.
    ///
    /// "307, 4xx, 5xx are generally not charged as operations" (Cloud Storage pricing, 2026-05-16). A 304 is not on
    /// that list and therefore counts as an operation with next to no bytes. Status 0 means that no response began.
    static func isCharged(_ status: Int) -> Bool {
        (200..<400).contains(status) && status != 307
    }
}
