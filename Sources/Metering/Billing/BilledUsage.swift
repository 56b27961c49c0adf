// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The billed usage of a request, or of a sum of requests, by the published price rules.
public struct BilledUsage: Sendable, Hashable, Codable {
    /// Bytes charged as transfer out of the service.
    public var egressBytes: Int64
    /// Cloud Storage Class A operations.
    public var classA: Int64
    /// Cloud Storage Class B operations.
    public var classB: Int64
    /// Firestore document reads.
    public var documentReads: Int64
    /// Firestore document writes.
    public var documentWrites: Int64
    /// Firestore document deletes.
    public var documentDeletes: Int64
    /// How many of ``documentReads`` are of documents that Security Rules looked at.
    public var ruleReads: Int64
    /// Users who have signed in for the first time in the month by a provider of tier 1 (e-mail, phone, anonymous, social).
    public var tier1ActiveUsers: Int64
    /// Users who have signed in for the first time in the month by a provider of tier 2 (OpenID Connect, SAML).
    public var tier2ActiveUsers: Int64
    /// Messages sent to phones.
    public var smsMessages: Int64

    /// Nothing billed.
    public static let zero = Self()

    /// Creates billed quantities; what is not named is zero.
    public init(
        egressBytes: Int64 = 0,
        classA: Int64 = 0,
        classB: Int64 = 0,
        documentReads: Int64 = 0,
        documentWrites: Int64 = 0,
        documentDeletes: Int64 = 0,
        ruleReads: Int64 = 0,
        tier1ActiveUsers: Int64 = 0,
        tier2ActiveUsers: Int64 = 0,
        smsMessages: Int64 = 0
    ) {
        self.egressBytes = egressBytes
        self.classA = classA
        self.classB = classB
        self.documentReads = documentReads
        self.documentWrites = documentWrites
        self.documentDeletes = documentDeletes
        self.ruleReads = ruleReads
        self.tier1ActiveUsers = tier1ActiveUsers
        self.tier2ActiveUsers = tier2ActiveUsers
        self.smsMessages = smsMessages
    }

    /// The documents that Security Rules looked at, each of which is a read.
    ///
    /// Each document counts once for a request, however often rules name it, also where they refuse the request.
    /// (firebase.google.com/docs/firestore/security/rules-conditions#access_calls_and_pricing, 2026-11.)
    public init(ruleReads count: Int64) { self.init(documentReads: count, ruleReads: count) }

    /// Adds two quantities.
    public static func + (left: Self, right: Self) -> Self {
        Self(
            egressBytes: left.egressBytes + right.egressBytes,
            classA: left.classA + right.classA,
            classB: left.classB + right.classB,
            documentReads: left.documentReads + right.documentReads,
            documentWrites: left.documentWrites + right.documentWrites,
            documentDeletes: left.documentDeletes + right.documentDeletes,
            ruleReads: left.ruleReads + right.ruleReads,
            tier1ActiveUsers: left.tier1ActiveUsers + right.tier1ActiveUsers,
            tier2ActiveUsers: left.tier2ActiveUsers + right.tier2ActiveUsers,
            smsMessages: left.smsMessages + right.smsMessages
        )
    }

    /// Adds a quantity to itself several times.
    public static func * (billed: Self, count: Int64) -> Self {
        Self(
            egressBytes: billed.egressBytes * count,
            classA: billed.classA * count,
            classB: billed.classB * count,
            documentReads: billed.documentReads * count,
            documentWrites: billed.documentWrites * count,
            documentDeletes: billed.documentDeletes * count,
            ruleReads: billed.ruleReads * count,
            tier1ActiveUsers: billed.tier1ActiveUsers * count,
            tier2ActiveUsers: billed.tier2ActiveUsers * count,
            smsMessages: billed.smsMessages * count
        )
    }
}

extension BilledUsage {
    private enum CodingKeys: CodingKey {
        case egressBytes, classA, classB, documentReads, documentWrites, documentDeletes, ruleReads
        case tier1ActiveUsers, tier2ActiveUsers, smsMessages
    }

    /// Decodes quantities; those that came later are zero where they are absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            egressBytes: try container.decode(Int64.self, forKey: .egressBytes),
            classA: try container.decode(Int64.self, forKey: .classA),
            classB: try container.decode(Int64.self, forKey: .classB),
            documentReads: try container.decode(Int64.self, forKey: .documentReads),
            documentWrites: try container.decode(Int64.self, forKey: .documentWrites),
            documentDeletes: try container.decode(Int64.self, forKey: .documentDeletes),
            ruleReads: try container.decodeIfPresent(Int64.self, forKey: .ruleReads) ?? 0,
            tier1ActiveUsers: try container.decodeIfPresent(Int64.self, forKey: .tier1ActiveUsers) ?? 0,
            tier2ActiveUsers: try container.decodeIfPresent(Int64.self, forKey: .tier2ActiveUsers) ?? 0,
            smsMessages: try container.decodeIfPresent(Int64.self, forKey: .smsMessages) ?? 0
        )
    }

    /// Encodes all quantities; those that came later only where there are any.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(egressBytes, forKey: .egressBytes)
        try container.encode(classA, forKey: .classA)
        try container.encode(classB, forKey: .classB)
        try container.encode(documentReads, forKey: .documentReads)
        try container.encode(documentWrites, forKey: .documentWrites)
        try container.encode(documentDeletes, forKey: .documentDeletes)
        let later: [(CodingKeys, Int64)] = [
            (.ruleReads, ruleReads), (.tier1ActiveUsers, tier1ActiveUsers), (.tier2ActiveUsers, tier2ActiveUsers),
            (.smsMessages, smsMessages),
        ]
        for (key, amount) in later where amount != 0 { try container.encode(amount, forKey: key) }
    }
}
