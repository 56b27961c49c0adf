// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The subject of a client's listener.
package struct ListenTarget: Sendable {
    /// Which documents.
    package enum Content: Sendable {
        /// Checked when it is added; a query that is refused costs only this target.
        case query(Query)
        /// Documents by name, there or not; repeated names count once.
        case documents([DocumentPath])
        /// Refused already, by the reader of the request: the client gets the error of a bad query.
        case refused(FirestoreError)
    }

    /// The documents that the client has already.
    package enum Start: Sendable {
        case fresh
        /// Only what changed since the event that carried this token.
        case token([UInt8])
        /// Only what changed since this time.
        case readTime(Timestamp)
    }

    /// The client's name for it; 0 for one that the stream picks.
    package var id: Int32
    package var content: Content
    package var start: Start
    /// Whether it ends with its first consistent snapshot.
    package var once: Bool
    /// How many documents the client has of it; given and not 0, it asks for the names in existence filters.
    package var expectedCount: Int?
    /// The label of its reads.
    package var label = TargetLabel()
    /// Judges the target: before its first read, whenever the stream is reauthorized, and before changes are reported unless the verdict
    /// was lasting.
    package var authorization: Authorization?

    /// Judges a target; called on a thread that may block.
    ///
    /// Throws `FirestoreError` where it cannot.
    package typealias Authorization = @Sendable () throws -> ListenVerdict

    package init(
        id: Int32,
        _ content: Content,
        start: Start = .fresh,
        once: Bool = false,
        expectedCount: Int? = nil
    ) {
        self.id = id
        self.content = content
        self.start = start
        self.once = once
        self.expectedCount = expectedCount
    }
}

/// Whether a target may be listened to.
package struct ListenVerdict: Sendable {
    let refusal: FirestoreError?
    let term: VerdictTerm
    let ruleReads: Int

    /// Creates a verdict.
    ///
    /// - Parameters:
    ///   - refusal: Why it may not; `nil` where it may.
    ///   - term: How long that holds.
    ///   - ruleReads: The documents that were read to find out, for the bill.
    package init(refusal: FirestoreError? = nil, term: VerdictTerm = .lasting, ruleReads: Int = 0) {
        (self.refusal, self.term, self.ruleReads) = (refusal, term, ruleReads)
    }
}

/// How long the verdict holds that a target may be listened to.
package enum VerdictTerm: Sendable {
    /// Until the stream is reauthorized.
    case lasting
    /// It depends on documents, or on the time.
    case untilNextChange
}

/// The label of a target's reads; the store only carries it from the target to its reads.
package struct TargetLabel: Sendable, Hashable {
    package var collection: String?
    package var queryShape: String?

    package init(collection: String? = nil, queryShape: String? = nil) {
        self.collection = collection
        self.queryShape = queryShape
    }
}

/// One message to a listening client; the protocol's `ListenResponse` without its names.
package enum ListenEvent: Sendable, Equatable {
    /// Precedes everything about a target.
    case targetAdded(Int32)
    /// The target ended: asked for (no cause), after a single snapshot (no cause), or refused.
    case targetRemoved(Int32, cause: FirestoreError?)
    /// The target has all its documents as of the time.
    case targetCurrent(Int32, token: [UInt8], readTime: Timestamp)
    /// The client forgets which documents the target has; they follow.
    case targetReset(Int32)
    /// The document is, or has changed, in some targets; it is no longer in others, because it changed.
    case documentChanged(Document, targets: [Int32], removedTargets: [Int32])
    /// The document does not exist (any more).
    case documentDeleted(DocumentPath, readTime: Timestamp, removedTargets: [Int32])
    /// The document is, unchanged, no longer in the targets: others came before it.
    case documentRemoved(DocumentPath, readTime: Timestamp, removedTargets: [Int32])
    /// How many documents the target has, for a client to check what it kept.
    case existenceFilter(Int32, count: Int, unchangedNames: BloomFilter?)
    /// All targets are as of the time: the protocol's `NO_CHANGE` without targets.
    case snapshot(token: [UInt8], readTime: Timestamp)
}
