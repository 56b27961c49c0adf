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
        ruleReads: Int64 = 0
    ) {
        self.egressBytes = egressBytes
        self.classA = classA
        self.classB = classB
        self.documentReads = documentReads
        self.documentWrites = documentWrites
        self.documentDeletes = documentDeletes
        self.ruleReads = ruleReads
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
            ruleReads: left.ruleReads + right.ruleReads
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
            ruleReads: billed.ruleReads * count
        )
    }
}

extension BilledUsage {
    private enum CodingKeys: CodingKey {
        case egressBytes, classA, classB, documentReads, documentWrites, documentDeletes, ruleReads
    }

    /// Decodes quantities; those of before Security Rules were judged have no reads of rules.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            egressBytes: try container.decode(Int64.self, forKey: .egressBytes),
            classA: try container.decode(Int64.self, forKey: .classA),
            classB: try container.decode(Int64.self, forKey: .classB),
            documentReads: try container.decode(Int64.self, forKey: .documentReads),
            documentWrites: try container.decode(Int64.self, forKey: .documentWrites),
            documentDeletes: try container.decode(Int64.self, forKey: .documentDeletes),
            ruleReads: try container.decodeIfPresent(Int64.self, forKey: .ruleReads) ?? 0
        )
    }

    /// Encodes all quantities, but reads of rules only where there are any.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(egressBytes, forKey: .egressBytes)
        try container.encode(classA, forKey: .classA)
        try container.encode(classB, forKey: .classB)
        try container.encode(documentReads, forKey: .documentReads)
        try container.encode(documentWrites, forKey: .documentWrites)
        try container.encode(documentDeletes, forKey: .documentDeletes)
        if ruleReads != 0 { try container.encode(ruleReads, forKey: .ruleReads) }
    }
}
