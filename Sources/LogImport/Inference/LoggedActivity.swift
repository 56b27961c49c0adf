// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The requests of a log, in tables: what users were shown and loaded, and the documents and objects themselves.
///
/// Memory grows with the different users, documents, objects and queries; the events are in a spool.
struct LoggedActivity {
    /// A query, whatever its limit and cursors; or a listing of objects.
    struct List: Sendable {
        /// The query or listing in words, in parentheses behind the tag.
        fileprivate(set) var name: String
        /// The number of the tag that most images which it shows have; `nil` where it is not known, or there is none.
        fileprivate(set) var tag: Int32?
        /// The names that are listed; `nil` for a query.
        var names: ListedNames?
        var usage = UsageTotals.zero

        var service: UsageAttribution.Service { names == nil ? .firestore : .storage }
    }

    /// An address, by its number in a recording.
    struct Address: Sendable, Hashable {
        let recording: Int
        let number: Int
    }

    /// Who made a request, as far as it says.
    struct Caller: Sendable, Hashable {
        /// The property that names it, the most certain first.
        enum Kind: Sendable {
            case token, program
        }

        let kind: Kind
        let name: String
        /// `nil` where the log does not say.
        var address: Address?
    }

    /// A document, in its last version; or of a log without documents a post, by the names of its objects.
    struct Document: Sendable {
        let path: String
        /// The number of times that it was found changed.
        var revision: Int32 = 0
        var updatedAt: Int64 = 0
        /// The number of the recording that its hashes are of.
        var recording = 0
        var mentions: [String: [UInt64]] = [:]
    }

    /// An object, in its last generation.
    struct Object: Sendable {
        let bucket: String
        let name: String
        var byteCount: Int64 = 0
        var pixels: SessionObject.Pixels?
        /// The generation of the first download that names one.
        var firstGeneration: Int64?
        var usage = UsageTotals.zero
    }

    private(set) var lists: [List] = []
    /// The names of queries that reads were billed for.
    private(set) var queries: [String] = []
    private(set) var documents: [Document] = []
    private(set) var objects: [Object] = []
    /// Of which ``LoggedUsers`` makes users.
    private(set) var callers: [Caller] = []
    /// Whether each caller has read documents or listed objects; one that has not may be a loader of images without a token.
    private(set) var hasRead: [Bool] = []
    /// The keys of the recordings' hashes.
    private(set) var recordings: [MentionHash] = []
    /// All that was metered, by service.
    private(set) var usage: [UsageAttribution.Service: UsageTotals] = [:]
    private(set) var events = EventSpool()
    /// The time of the first event, in microseconds since 1970; `nil` without any.
    private(set) var start: Int64?
    /// Requests of third-party logs that are not a part of a session.
    var passedOver = LoggedDownloads.PassedOver()

    private var tags: [String] = []
    private var tagNumbers: [String: Int32] = [:]
    private var listNumbers: [String: Int] = [:]
    private var queryNumbers: [String: Int] = [:]
    private var documentNumbers: [String: Int] = [:]
    private var objectNumbers: [SpelledName: Int] = [:]
    private var numbersOfCallers: [Caller: Int32] = [:]
    /// The number of the recording that has the current one's addresses and connections.
    private var addressing = 0
    /// The connections of the recordings before.
    private var formerConnectionCount: Int64 = 0
    private(set) var connectionCount: Int64 = 0
    /// The versions of documents by their numbers in the current recording.
    private var described: [Int: LoggedAnswer.Version] = [:]
    /// The objects of third-party logs, by the hash of their names.
    var spelledObjects: [UInt64: Int32] = [:]
    /// The callers of third-party logs, by the hash of address and program.
    var callerNumbers: [UInt64: Int32] = [:]

    /// Adds documents that stand for posts; returns the number of the first.
    mutating func addPosts(_ names: [String]) -> Int {
        documents += names.map { Document(path: $0) }
        return documents.count - names.count
    }
}

extension LoggedActivity {
    /// Begins another recording, whose documents have numbers of their own.
    mutating func begin(_ start: SessionRecordingStart) {
        described = [:]
        if !start.isContinued {
            addressing += 1
            formerConnectionCount = connectionCount
        }
        // A key that cannot be read hashes nothing alike: no object is found by the texts of documents.
        recordings.append(MentionHash(key: start.hashKey) ?? MentionHash())
    }

    mutating func take(_ document: SessionDocument) {
        let key = "\(document.database)/\(document.path)"
        let number = documentNumbers[key] ?? documents.count
        if number == documents.count {
            documentNumbers[key] = number
            documents.append(Document(path: document.path))
        }
        if documents[number].updatedAt != document.updatedAt { documents[number].revision += 1 }
        documents[number].updatedAt = document.updatedAt
        documents[number].recording = max(0, recordings.count - 1)
        documents[number].mentions = document.mentions.mapValues { $0.compactMap { UInt64($0, radix: 36) } }
        described[document.number] = LoggedAnswer.Version(
            document: Int32(number),
            revision: documents[number].revision
        )
    }

    mutating func take(_ object: SessionObject) {
        let number = self.number(of: object.object, in: object.bucket)
        objects[number].byteCount = object.byteCount
        objects[number].pixels = object.pixels
    }

    /// Notes an object's size where a log has that of its downloads only: parts are smaller than the whole.
    mutating func noteSize(of object: Int, _ byteCount: Int64) {
        objects[object].byteCount = max(objects[object].byteCount, byteCount)
    }

    /// A generation as events have it: less the object's first of the log.
    mutating func generation(_ generation: Int64?, of object: Int) -> Int64 {
        guard let generation else { return 0 }
        let first = objects[object].firstGeneration ?? generation
        objects[object].firstGeneration = first
        return generation &- first
    }

    /// The version that a number of the current recording stands for; `nil` where its line was lost.
    func version(_ number: Int) -> LoggedAnswer.Version? { described[number] }

    mutating func add(_ totals: UsageTotals, of service: UsageAttribution.Service) {
        usage[service, default: .zero].add(totals)
    }

    mutating func add(_ totals: UsageTotals, ofList number: Int) { lists[number].usage.add(totals) }

    mutating func add(_ totals: UsageTotals, ofObject number: Int) { objects[number].usage.add(totals) }

    /// Notes that the log begins no later.
    mutating func noteStart(_ time: Int64) { start = min(start ?? time, time) }

    /// Adds an event, and returns it.
    mutating func append(
        _ subject: ActivityEvent.Subject,
        by caller: Int32,
        at time: Int64,
        on connection: Int64 = 0
    ) throws(SessionLogError) -> ActivityEvent {
        if case .answer(let answer) = subject, answer.kind.isRead { hasRead[Int(caller)] = true }
        if case .takenBack = subject {} else { noteStart(time) }
        let event = ActivityEvent(time: time, user: caller, connection: connection, subject: subject)
        try events.append(event)
        return event
    }

    mutating func number(of caller: Caller) -> Int32 {
        if let number = numbersOfCallers[caller] { return number }
        numbersOfCallers[caller] = Int32(callers.count)
        callers.append(caller)
        hasRead.append(false)
        return Int32(callers.count - 1)
    }

    /// The address of an origin; `nil` where the log does not say.
    func address(of origin: SessionRequest.Origin?) -> Address? {
        origin?.peer.map { Address(recording: addressing, number: $0) }
    }

    /// The number of a connection in the log, from 1; 0 where the log does not say.
    mutating func number(ofConnectionOf origin: SessionRequest.Origin?) -> Int64 {
        guard let connection = origin?.connection else { return 0 }
        let number = formerConnectionCount + Int64(connection)
        connectionCount = max(connectionCount, number)
        return number
    }

    /// The hash of a list's query is the list's within one recording only.
    mutating func number(ofList hash: String, named name: String) -> Int {
        let key = "\(recordings.count) \(hash)"
        if let number = listNumbers[key] { return number }
        listNumbers[key] = lists.count
        lists.append(List(name: name))
        return lists.count - 1
    }

    /// Names a list by a tag.
    mutating func setTag(_ number: Int32, ofList list: Int) {
        lists[list].tag = number
        lists[list].name = SessionView.List.name(ofQuery: lists[list].name, taggedWith: tags[Int(number) - 1])
    }

    /// The number of a tag, from 1; 0 for none.
    mutating func number(ofTag tag: String?) -> Int32 {
        guard let tag, !tag.isEmpty else { return 0 }
        if let number = tagNumbers[tag] { return number }
        tags.append(tag)
        tagNumbers[tag] = Int32(tags.count)
        return Int32(tags.count)
    }

    /// A listing is the same in all recordings.
    mutating func number(ofListing names: ListedNames) -> Int {
        let key = "objects \(names.hasDelimiter) \(names.bucket)/\(names.prefix)"
        if let number = listNumbers[key] { return number }
        listNumbers[key] = lists.count
        lists.append(List(name: names.description, names: names))
        return lists.count - 1
    }

    mutating func number(ofQuery name: String) -> Int {
        if let number = queryNumbers[name] { return number }
        queryNumbers[name] = queries.count
        queries.append(name)
        return queries.count - 1
    }

    mutating func number(of object: String, in bucket: String) -> Int {
        let key = SpelledName("\(bucket)/\(object)")
        if let number = objectNumbers[key] { return number }
        objectNumbers[key] = objects.count
        objects.append(Object(bucket: bucket, name: object))
        return objects.count - 1
    }
}
