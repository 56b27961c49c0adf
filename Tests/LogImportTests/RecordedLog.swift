// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SessionLog

@testable import LogImport

/// A log as an emulator records it, written line by line; times are in seconds.
struct RecordedLog {
    private let hash = MentionHash()
    private var entries: [SessionEntry]
    private var numbers: [String: Int] = [:]
    private var count = 0
    /// The address and the connection of the lines that follow.
    var origin: SessionRequest.Origin?
    /// The program of the lines that follow; by default one for each service.
    var program: String?
    /// The tag of the lines that follow.
    var tag: String?

    init() { entries = [.recording(SessionRecordingStart(hashKey: hash.key))] }

    /// A document whose fields have these texts.
    mutating func document(_ path: String, fields: [String: [String]] = [:], updatedAt: Int64 = 1) {
        count += 1
        numbers[path] = count
        let mentions = fields.mapValues { texts in texts.flatMap(MentionedName.texts).map(hash.text) }
        entries.append(
            .document(
                SessionDocument(
                    number: count,
                    database: "demo/(default)",
                    path: path,
                    updatedAt: updatedAt,
                    byteCount: 100,
                    mentions: mentions
                )
            )
        )
    }

    /// A page of a list, whose query has a value that is not in its name.
    mutating func list(
        _ name: String,
        _ documents: [String],
        ofValue value: String = "",
        by user: String?,
        at second: Double,
        isContinued: Bool = false,
        isPart: Bool = false
    ) {
        var reading = SessionRequest.Reading()
        reading.list = hash.text(of: name + value)
        reading.isContinued = isContinued
        reading.documents = documents.compactMap { numbers[$0] }
        var request = request("firestore.runQuery", .firestore, user: user, at: second, sent: 1_000)
        request.record.billed.documentReads = Int64(max(1, documents.count))
        request.record.attribution.queryShape = name
        request.reading = reading
        if isPart { request.record.requestCount = 0 }
        entries.append(isPart ? .part(request) : .request(request))
    }

    /// A page of a listing of objects.
    mutating func objects(
        under prefix: String,
        by user: String?,
        at second: Double,
        hasDelimiter: Bool = true,
        isContinued: Bool = false,
        status: Int = 200
    ) {
        var request = request("storage.objects.list", .storage, user: user, at: second, sent: 700, status: status)
        request.record.attribution.bucket = "b"
        request.record.billed = BilledUsage(egressBytes: 700, classA: 1)
        request.listing = SessionRequest.Listing(prefix: prefix, hasDelimiter: hasDelimiter, isContinued: isContinued)
        entries.append(.request(request))
    }

    /// Begins another file, of the same emulator or of one that was started again.
    mutating func begin(isContinued: Bool) {
        entries.append(.recording(SessionRecordingStart(hashKey: hash.key, isContinued: isContinued)))
        numbers = [:]
        count = 0
    }

    /// A call that was billed reads and brought no document.
    mutating func reads(
        _ name: String,
        _ count: Int64,
        by user: String?,
        at second: Double,
        ofRules ruleReads: Int64 = 0,
        _ change: (inout SessionRequest.Reading) -> Void
    ) {
        var reading = SessionRequest.Reading()
        change(&reading)
        var request = request("firestore.call", .firestore, user: user, at: second, sent: 100)
        request.record.billed.documentReads = count
        request.record.billed.ruleReads = ruleReads
        request.record.attribution.queryShape = name
        request.reading = reading
        entries.append(.request(request))
    }

    /// A document read by its name.
    mutating func read(_ path: String, by user: String?, at second: Double) {
        var reading = SessionRequest.Reading()
        reading.documents = [numbers[path] ?? 0]
        var request = request("firestore.getDocument", .firestore, user: user, at: second, sent: 100)
        request.record.billed.documentReads = 1
        request.reading = reading
        entries.append(.request(request))
    }

    /// A download; the object is described before its first.
    mutating func download(
        _ object: String,
        by user: String?,
        at second: Double,
        status: Int = 200,
        generation: Int64 = 1,
        sent byteCount: Int64 = 10_000,
        _ change: (inout UsageRecord) -> Void = { _ in }
    ) {
        let pixels = SessionObject.Pixels(width: 300, height: 400, orientation: 6)
        let line = SessionObject(
            bucket: "b",
            object: object,
            generation: generation,
            byteCount: 10_000,
            pixels: pixels
        )
        entries.append(.object(line))
        var request = request(
            "storage.objects.get",
            .storage,
            user: user,
            at: second,
            sent: status == 304 ? 0 : byteCount,
            status: status
        )
        request.generation = generation
        request.record.attribution.bucket = "b"
        request.record.attribution.object = object
        change(&request.record)
        entries.append(request.record.requestCount == 0 ? .part(request) : .request(request))
    }

    /// Anything else.
    mutating func upload(_ object: String, at second: Double) {
        entries.append(.request(request("storage.objects.insert", .storage, user: nil, at: second, sent: 500)))
    }

    /// Takes the last request back, but for some lines behind it, and reports it as broken off.
    mutating func amendLast(sent byteCount: Int64, behind lineCount: Int = 0) {
        guard case .request(var request)? = entries.dropLast(lineCount).last else { return }
        entries.append(.retraction(request))
        request.record.sent = TransferredBytes(header: 0, body: byteCount, wire: byteCount)
        request.record.outcome = .aborted
        entries.append(.request(request))
    }

    private func request(
        _ operation: String,
        _ service: UsageAttribution.Service,
        user: String?,
        at second: Double,
        sent byteCount: Int64,
        status: Int = 200
    ) -> SessionRequest {
        var attribution = UsageAttribution(service: service, operation: operation)
        attribution.user = user
        attribution.client = program ?? "\(service) sdk"
        attribution.tag = tag
        return SessionRequest(
            record: UsageRecord(
                startMicroseconds: 1_000_000_000 + Int64(second * 1_000_000),
                durationMicroseconds: 10,
                method: "GET",
                status: status,
                outcome: .complete,
                attribution: attribution,
                received: .zero,
                sent: TransferredBytes(header: 0, body: byteCount, wire: byteCount),
                billed: .zero
            ),
            origin: origin
        )
    }

    /// The session inferred from the log.
    func session(layouts: [ImageLayout] = [], rules: InferenceRules = InferenceRules()) throws -> Inferred {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try SessionLogWriter(path, header: SessionHeader(createdAt: LogTime(microseconds: 1_000_000_000)))
        for entry in entries { try writer.append(entry) }
        writer.close()
        let source = try SessionSource(path, layouts: layouts, rules: rules)
        return Inferred(session: try source.whole(), usage: source.usage)
    }

    /// The inferred session, in words.
    struct Inferred {
        let session: SessionLog
        let usage: RecordedUsage?

        /// The views: `0 ann lists posts/p1 posts/p2`.
        var views: [String] {
            session.views.map { view in
                let action =
                    switch view.action {
                    case .showPosts(let shown):
                        (shown.list.map { "lists page \($0.page)" } ?? "shows") + shown.posts.map { " " + $0 }.joined()
                    case .openPost(_, let post): "opens \(post)"
                    default: view.action.kind.rawValue
                    }
                return "\(view.atMilliseconds / 1_000) \(view.client) \(action)"
            }
        }

        var layouts: [String] {
            let prefix = "images follow from documents as "
            return session.header.imported?.assumptions.filter { $0.hasPrefix(prefix) }.map {
                String($0.dropFirst(prefix.count))
            }
                ?? []
        }

        /// The downloads of views: `again 20000 in 2 of name, posts page 0`.
        var downloads: [String] {
            usage?.downloads?.parts.map { part in
                let place =
                    switch part.place {
                    case .list(let name, let page): "\(name) page \(page)"
                    case .withoutList: "no list"
                    case .openedPost: "opened"
                    }
                return "\(part.cause) \(part.byteCount) in \(part.responseCount) of \(part.object ?? "list"), \(place)"
            } ?? []
        }

        /// The images of posts: `posts/p1 0 name`.
        var images: [String] {
            session.images.map { "\($0.place?.post ?? "-") \($0.place?.index ?? -1) \($0.object)" }.sorted()
        }
    }
}
