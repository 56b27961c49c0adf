// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import ObjectStore
import SessionLog
import StorageServer

/// Which documents and objects the lines of a file have described: each version once, before the first request for it.
///
/// Begins again with every file of a log, so that a part of it can be read alone. Sixteen bytes of memory for a version.
struct DescribedData {
    private let objects: ObjectPixels
    private let siblings: ObjectSiblings
    private var hash = MentionHash()
    private var file: Int?
    private var documents: [UInt64: Int32] = [:]
    private var generations: Set<UInt64> = []

    init(objects store: SQLiteObjectStore) {
        objects = ObjectPixels(of: store)
        siblings = ObjectSiblings(of: store)
    }

    /// Begins a recording where the lines go to a new file.
    mutating func enter(file number: Int) -> [SessionEntry] {
        guard file != number else { return [] }
        let isContinued = file != nil
        file = number
        hash = MentionHash()
        documents = [:]
        generations = []
        return [.recording(SessionRecordingStart(hashKey: hash.key, isContinued: isContinued))]
    }

    /// The lines that take a record back, and say which list it was an answer of.
    mutating func entries(takingBack record: UsageRecord, from origin: SessionRequest.Origin?) -> [SessionEntry] {
        entries(of: record, from: origin).map { entry in
            if case .request(let request) = entry { .retraction(request) } else { entry }
        }
    }

    /// The lines of a record: what is new of its data, then itself.
    mutating func entries(of record: UsageRecord, from origin: SessionRequest.Origin?) -> [SessionEntry] {
        var entries: [SessionEntry] = []
        var request = SessionRequest(record: record, origin: origin)
        switch record.notes.detail {
        case let reads as ReadDocuments: request.reading = reading(reads.contents, describedBy: &entries)
        case let listed as ListedObjects:
            request.listing = SessionRequest.Listing(
                prefix: listed.prefix,
                hasDelimiter: listed.hasDelimiter,
                isContinued: listed.isContinued
            )
        case let served as ServedObject:
            request.generation = served.metadata.generation
            guard describe(served.metadata, in: &entries) else { break }
            // The other images of the post, which are then known, too.
            for sibling in siblings.siblings(of: served.metadata) { describe(sibling, in: &entries) }
        default: break
        }
        return entries + [record.requestCount > 0 ? .request(request) : .part(request)]
    }

    private mutating func reading(
        _ contents: ReadDocuments.Contents,
        describedBy entries: inout [SessionEntry]
    ) -> SessionRequest.Reading? {
        var reading = SessionRequest.Reading()
        reading.list = contents.list.map { hash.text(of: $0.key) }
        reading.limit = contents.list?.limit
        reading.isContinued = contents.list?.isContinued ?? false
        reading.isChange = contents.isChange
        reading.isAggregation = contents.isAggregation
        reading.missingCount = contents.missingCount
        for document in contents.documents { reading.documents.append(number(of: document, in: &entries)) }
        let isAnything = reading.list != nil || reading.isAggregation || reading.missingCount > 0
        return isAnything || !reading.documents.isEmpty ? reading : nil
    }

    private mutating func number(of document: ReadDocument, in entries: inout [SessionEntry]) -> Int {
        let key = hash.hash("\(document.database)/\(document.path)@\(document.updatedAt)".utf8)
        if let number = documents[key] { return Int(number) }
        let number = documents.count + 1
        documents[key] = Int32(clamping: number)
        var mentions: [String: [String]] = [:]
        for mention in document.mentions {
            for text in MentionedName.texts(in: mention.text) {
                mentions[mention.field, default: []].append(hash.text(of: text))
            }
        }
        entries.append(
            .document(
                SessionDocument(
                    number: number,
                    database: document.database,
                    path: document.path,
                    updatedAt: document.updatedAt,
                    byteCount: Int64(document.byteCount),
                    mentions: mentions
                )
            )
        )
        return number
    }

    /// Describes a generation; false where that was done before.
    @discardableResult
    private mutating func describe(_ metadata: ObjectMetadata, in entries: inout [SessionEntry]) -> Bool {
        let (bucket, name) = (metadata.path.bucket.description, metadata.path.name.description)
        guard generations.insert(hash.hash("\(bucket)/\(name)#\(metadata.generation)".utf8)).inserted else {
            return false
        }
        entries.append(
            .object(
                SessionObject(
                    bucket: bucket,
                    object: name,
                    generation: metadata.generation,
                    byteCount: metadata.byteCount,
                    contentType: metadata.attributes.contentType,
                    pixels: objects.pixels(of: metadata)
                )
            )
        )
        return true
    }
}
