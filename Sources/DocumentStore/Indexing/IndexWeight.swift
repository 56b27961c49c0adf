// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How many index entries a document has in production, and how large they are.
///
/// Every field has an entry in ascending and one in descending order, every distinct element of an array two for
/// each of them. Source of the counting: an array of 19,999 distinct numbers passes in production and one of 20,000
/// does not (recorded 2026-09); of the sizes: cloud.google.com/firestore/native/docs/storage-size (2026-11).
struct IndexWeight {
    static let entryCountMax = 40_000
    static let entryByteCountMax = 7_680
    static let byteCountMax = 8 << 20
    /// A document no larger than this is within all limits, so that small ones need no counting.
    static let harmlessByteCount = 3_000

    private static let entriesPerValue = 2

    private let nameByteCount: Int
    private var entryCount = 0
    private var largestByteCount = 0
    private var totalByteCount = 0

    private init(at path: DocumentPath) {
        let parent = path.parent.map { DocumentSize.byteCount(of: $0) } ?? 0
        nameByteCount = DocumentSize.byteCount(of: path) + parent + 32
    }

    /// Refuses a document whose entries are beyond a limit.
    static func validate(_ fields: [String: Value], at path: DocumentPath) throws {
        var weight = IndexWeight(at: path)
        for (name, value) in fields {
            weight.add(value, pathByteCount: name.utf8.count + 1)
        }
        guard weight.entryCount <= entryCountMax else { throw FirestoreError.tooManyIndexEntries(of: path) }
        guard weight.largestByteCount <= entryByteCountMax else {
            throw FirestoreError.indexEntryTooLarge(of: path)
        }
        guard weight.totalByteCount <= byteCountMax else { throw FirestoreError.indexEntriesTooLarge(of: path) }
    }

    private mutating func add(_ value: Value, pathByteCount: Int) {
        addEntries(of: value, pathByteCount: pathByteCount)
        switch value {
        case .array(let elements):
            var seen: Set<OrderedKey> = []
            for element in elements where seen.insert(IndexKey.truncate(OrderedKey(element))).inserted {
                addEntries(of: element, pathByteCount: pathByteCount)
            }
        case .map(let fields):
            for (name, inner) in fields {
                add(inner, pathByteCount: pathByteCount + name.utf8.count + 1)
            }
        case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint, .vector: break
        }
    }

    private mutating func addEntries(of value: Value, pathByteCount: Int) {
        let valueByteCount = min(DocumentSize.byteCount(of: value), IndexKey.valueByteCountMax)
        let byteCount = nameByteCount + pathByteCount + valueByteCount
        entryCount += Self.entriesPerValue
        largestByteCount = max(largestByteCount, byteCount)
        totalByteCount += byteCount * Self.entriesPerValue
    }
}
