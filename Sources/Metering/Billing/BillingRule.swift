// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the price rules turn one finished exchange into billed quantities.
public enum BillingRule: Sendable, Hashable {
    /// Nothing is billed, whatever happens.
    case free
    /// A Cloud Storage operation of the given class.
    ///
    /// "Transfer is charged on bytes actually sent" (Cloud Storage pricing, 2026-05-16): a download that breaks off
    /// costs what left. The documents that Security Rules looked at are Firestore's reads.
    case storage(StorageOperationClass, ruleReads: Int64 = 0)
    /// A Firestore operation whose document counts the server already knows.
    ///
    /// The counts stay when the answer is an error: a get of a missing document is a read. Transfer is "on serialized
    /// response size", without the protocol around it (Firestore pricing, 2026-11); that errors are not transfer is
    /// our inference from Cloud Storage.
    case firestore(BilledUsage)
    /// An operation of Authentication: users who became active with it, and messages that it sent.
    ///
    /// Neither bytes nor calls are billed (Identity Platform pricing, 2026-11).
    case auth(BilledUsage)

    /// Returns what is billed for an exchange that ended with `status` after `sentBodyBytes` left.
    public func billed(status: Int, sentBodyBytes: Int64) -> BilledUsage {
        switch self {
        case .free:
            return .zero
        case .auth(let billed):
            return billed
        case .storage(let operationClass, let ruleReads):
            let looked = BilledUsage(ruleReads: ruleReads)
            guard Self.isCharged(status) else { return looked }
            return looked
                + BilledUsage(
                    egressBytes: sentBodyBytes,
                    classA: operationClass == .classA ? 1 : 0,
                    classB: operationClass == .classB ? 1 : 0
                )
        case .firestore(var billed):
            billed.egressBytes = Self.isCharged(status) ? sentBodyBytes : 0
            return billed
        }
    }

    /// The documents that Security Rules looked at for an operation of Cloud Storage.
    package var ruleReads: Int64 {
        get { if case .storage(_, let count) = self { count } else { 0 } }
        set { if case .storage(let operationClass, _) = self { self = .storage(operationClass, ruleReads: newValue) } }
    }

    /// Whether an answer with this status is charged.
    ///
    /// "307, 4xx, 5xx are generally not charged as operations" (Cloud Storage pricing, 2026-05-16). A 304 is not on
    /// that list and therefore counts as an operation with next to no bytes. Status 0 means that no response began.
    static func isCharged(_ status: Int) -> Bool {
        (200..<400).contains(status) && status != 307
    }
}
