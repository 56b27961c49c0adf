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

    /// Nothing billed.
    public static let zero = Self()

    /// Creates billed quantities; what is not named is zero.
    public init(
        egressBytes: Int64 = 0,
        classA: Int64 = 0,
        classB: Int64 = 0,
        documentReads: Int64 = 0,
        documentWrites: Int64 = 0,
        documentDeletes: Int64 = 0
    ) {
        self.egressBytes = egressBytes
        self.classA = classA
        self.classB = classB
        self.documentReads = documentReads
        self.documentWrites = documentWrites
        self.documentDeletes = documentDeletes
    }

    /// Adds two quantities.
    public static func + (left: Self, right: Self) -> Self {
        Self(
            egressBytes: left.egressBytes + right.egressBytes,
            classA: left.classA + right.classA,
            classB: left.classB + right.classB,
            documentReads: left.documentReads + right.documentReads,
            documentWrites: left.documentWrites + right.documentWrites,
            documentDeletes: left.documentDeletes + right.documentDeletes
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
            documentDeletes: billed.documentDeletes * count
        )
    }
}
