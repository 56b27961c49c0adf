// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The requests of a recorded log, in tables: what users were shown and loaded, and the documents and objects themselves.
///
/// Memory grows with the users, documents, objects and distinct answers, and by 16 bytes for each request.
struct RecordedActivity: Sendable {
    /// A request for something that a view may show.
    struct Event: Sendable, Hashable {
        enum Subject: Sendable, Hashable {
            /// The answer to a query.
            case list(Int)
            /// Documents read by name.
            case documents(Int)
            case download(Int)
        }

        /// Microseconds since 1970.
        let time: Int64
        let user: Int32
        private let packed: Int32

        init(time: Int64, user: Int32, subject: Subject) {
            (self.time, self.user) = (time, user)
            packed =
                switch subject {
                case .list(let number): Int32(number) << 2
                case .documents(let number): Int32(number) << 2 | 1
                case .download(let number): Int32(number) << 2 | 2
                }
        }

        var subject: Subject {
            let number = Int(packed >> 2)
            return packed & 3 == 0 ? .list(number) : packed & 3 == 1 ? .documents(number) : .download(number)
        }
    }

    /// The answer to a request for documents.
    struct Answer: Sendable, Hashable {
        /// The list's number; `nil` for documents read by name.
        let list: Int?
        let limit: Int?
        let isContinued: Bool
        let documents: [Int32]
        /// The versions of the documents, as numbers of each one's own.
        let revisions: [Int32]
        let byteCount: Int64
        let documentReads: Int64

        /// The documents that an earlier answer did not have, or had in another version.
        func changes(since earlier: Self) -> Int64 {
            let known = Set(zip(earlier.documents, earlier.revisions).map(RecordedReads.Version.init))
            return Int64(
                zip(documents, revisions).count { !known.contains(RecordedReads.Version(document: $0, revision: $1)) }
            )
        }
    }

    /// A query, whatever its limit and cursors.
    struct List: Sendable {
        /// The query in words.
        let name: String
        var usage = UsageTotals.zero
    }

    /// A document, in its last version.
    struct Document: Sendable {
        let path: String
        var byteCount: Int64
        /// The number of times that it was found changed.
        var revision: Int32 = 0
        var updatedAt: Int64 = 0
        /// The number of the recording that its hashes are of.
        var recording: Int
        var mentions: [String: [UInt64]]
    }

    /// An object, in its last generation.
    struct Object: Sendable {
        let bucket: String
        let name: String
        var byteCount: Int64 = 0
        var pixels: SessionObject.Pixels?
        var usage = UsageTotals.zero
    }

    private(set) var events: [Event] = []
    private(set) var answers: [Answer] = []
    private(set) var lists: [List] = []
    private(set) var documents: [Document] = []
    private(set) var objects: [Object] = []
    private(set) var users: [String] = []
    /// The keys of the recordings' hashes.
    private(set) var recordings: [MentionHash] = []
    /// The billed reads, by query and cause.
    private(set) var reads = RecordedReads()
    /// All that was metered, by service.
    private(set) var usage: [UsageAttribution.Service: UsageTotals] = [:]

    private var answerNumbers: [Answer: Int] = [:]
    private var listNumbers: [String: Int] = [:]
    private var documentNumbers: [String: Int] = [:]
    private var objectNumbers: [String: Int] = [:]
    private var userNumbers: [String: Int32] = [:]
    /// The versions of documents by their numbers in the current recording; `nil` for lines that were lost.
    private var described: [RecordedReads.Version?] = []

    /// Takes in a line of a log.
    mutating func take(_ entry: SessionEntry) {
        switch entry {
        case .recording(let start):
            described = []
            // A key that cannot be read hashes nothing alike: no object is found by the texts of documents.
            recordings.append(MentionHash(key: start.hashKey) ?? MentionHash())
        case .document(let document): take(document)
        case .object(let object): take(object)
        case .request(let request), .part(let request): take(request)
        case .retraction(let request): takeBack(request)
        case .header, .view, .image, .unknown: break
        }
    }

    /// Adds a document for each object, as if it were the object's post; returns their numbers.
    mutating func addPostsOfObjects() -> [Int32] {
        objects.map { object in
            let path = "\(object.bucket)/\(object.name)"
            documents.append(Document(path: path, byteCount: 0, recording: 0, mentions: [:]))
            return Int32(documents.count - 1)
        }
    }

    private mutating func take(_ document: SessionDocument) {
        let recording = max(0, recordings.count - 1)
        let mentions = document.mentions.mapValues { $0.compactMap { UInt64($0, radix: 36) } }
        let key = "\(document.database)/\(document.path)"
        let number = documentNumbers[key] ?? documents.count
        if number == documents.count {
            documentNumbers[key] = number
            documents.append(Document(path: document.path, byteCount: 0, recording: 0, mentions: [:]))
        }
        if documents[number].updatedAt != document.updatedAt { documents[number].revision += 1 }
        documents[number].updatedAt = document.updatedAt
        documents[number].byteCount = document.byteCount
        documents[number].recording = recording
        documents[number].mentions = mentions
        // Numbers are given in order; a line that is lost leaves a gap.
        while described.count < document.number { described.append(nil) }
        guard document.number > 0 else { return }
        described[document.number - 1] = RecordedReads.Version(
            document: Int32(number),
            revision: documents[number].revision
        )
    }

    private mutating func take(_ object: SessionObject) {
        let number = self.number(of: object.object, in: object.bucket)
        objects[number].byteCount = object.byteCount
        objects[number].pixels = object.pixels
    }

    private mutating func take(_ request: SessionRequest) {
        let record = request.record
        let totals = UsageTotals(record.content)
        usage[record.attribution.service, default: .zero].add(totals)
        let versions = request.reading.map { $0.documents.compactMap(version) } ?? []
        if record.billed.documentReads > 0 || !versions.isEmpty {
            reads.add(record, request.reading, versions, by: number(ofUserOf: record))
        }
        if let reading = request.reading {
            take(reading, versions, of: record, totals)
        } else if let number = downloaded(record) {
            objects[number].usage.add(totals)
            append(.download(number), of: record)
        }
    }

    private func version(_ number: Int) -> RecordedReads.Version? {
        described.indices.contains(number - 1) ? described[number - 1] : nil
    }

    private mutating func take(
        _ reading: SessionRequest.Reading,
        _ versions: [RecordedReads.Version],
        of record: UsageRecord,
        _ totals: UsageTotals
    ) {
        guard !reading.isChange, !reading.isAggregation else { return }
        let list = reading.list.map { number(ofList: $0, record) }
        if let list { lists[list].usage.add(totals) }
        let answer = Answer(
            list: list,
            limit: reading.limit,
            isContinued: reading.isContinued,
            documents: versions.map(\.document),
            revisions: versions.map(\.revision),
            byteCount: record.sent.body,
            documentReads: record.billed.documentReads
        )
        let place = answerNumbers[answer] ?? answers.count
        if place == answers.count {
            answerNumbers[answer] = place
            answers.append(answer)
        }
        append(list == nil ? .documents(place) : .list(place), of: record)
    }

    /// Its line comes before or after the one that replaces it, which is about the same.
    private mutating func takeBack(_ request: SessionRequest) {
        let record = request.record
        let totals = UsageTotals(record.reversed.content)
        usage[record.attribution.service, default: .zero].add(totals)
        reads.takeBack(record, request.reading, documentCount: request.reading?.documents.count ?? 0)
        if let reading = request.reading, let list = reading.list, !reading.isChange {
            lists[number(ofList: list, record)].usage.add(totals)
        } else if let number = downloaded(record) {
            objects[number].usage.add(totals)
            if let last = events.lastIndex(where: { $0.time == record.startMicroseconds }) { events.remove(at: last) }
        }
    }

    /// The object whose bytes a request asked for and got, or has already.
    private mutating func downloaded(_ record: UsageRecord) -> Int? {
        guard record.content.cacheOutcome != nil, let object = record.attribution.object,
            let bucket = record.attribution.bucket
        else { return nil }
        return number(of: object, in: bucket)
    }

    private mutating func append(_ subject: Event.Subject, of record: UsageRecord) {
        let user = number(ofUserOf: record)
        events.append(Event(time: record.startMicroseconds, user: user, subject: subject))
    }

    private mutating func number(ofUserOf record: UsageRecord) -> Int32 {
        let attribution = record.attribution
        let name = attribution.user ?? attribution.tag ?? attribution.client ?? "anonymous"
        if let number = userNumbers[name] { return number }
        userNumbers[name] = Int32(users.count)
        users.append(name)
        return Int32(users.count - 1)
    }

    private mutating func number(ofList hash: String, _ record: UsageRecord) -> Int {
        let key = "\(recordings.count) \(hash)"
        if let number = listNumbers[key] { return number }
        listNumbers[key] = lists.count
        lists.append(List(name: record.attribution.queryShape ?? record.attribution.collection ?? "a query"))
        return lists.count - 1
    }

    private mutating func number(of object: String, in bucket: String) -> Int {
        let key = "\(bucket)/\(object)"
        if let number = objectNumbers[key] { return number }
        objectNumbers[key] = objects.count
        objects.append(Object(bucket: bucket, name: object))
        return objects.count - 1
    }
}
