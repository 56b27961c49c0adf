// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The lines that an emulator wrote of a tour, from which those of users who walk the same pages are made.
struct RecordedTour {
    /// The connections of a user: one for queries, the others for images.
    let connectionCount: Int
    private var start: SessionEntry?
    private var queries: [SessionRequest] = []
    private var downloads: [String: SessionRequest] = [:]
    /// The lines that describe documents, by their numbers.
    private var documents: [Int: SessionEntry] = [:]
    /// The objects that were described together, those of a post, by the name of each.
    private var siblings: [String: [SessionObject]] = [:]

    init(_ path: String) throws {
        let reader = try SessionLogReader(path)
        var described: [SessionObject] = []
        var connections: Set<Int?> = []
        while let entry = try reader.next() {
            switch entry {
            case .recording: start = entry
            case .document(let document): documents[document.number] = entry
            case .object(let object): described.append(object)
            case .request(let request):
                for object in described { siblings[object.object] = described }
                described = []
                guard let object = request.record.attribution.object else {
                    queries.append(request)
                    continue
                }
                downloads[object] = request
                connections.insert(request.origin?.connection)
            // A request that was broken off is not the one that every user would make.
            case .part, .retraction: throw AuditError.tourInterrupted
            case .header, .view, .image, .downloads, .unknown: break
            }
        }
        connectionCount = 1 + max(1, connections.count)
    }

    /// The requests of a page, each with the lines that describe what it is the first to be about.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - user: The number of the user, from 0, who has connections alone.
    ///   - time: Microseconds since 1970.
    ///   - known: The data that the log has described.
    /// - Returns: The lines, in their order.
    /// - Throws: ``AuditError`` where the tour lacks a request of the page.
    func entries(of page: FeedTour.Page, user: Int, at time: Int64, known: inout Known) throws -> [SessionEntry] {
        var entries: [SessionEntry] = []
        if !known.hasStart, let start { entries.append(start) }
        known.hasStart = true
        if let query = page.query {
            guard queries.indices.contains(query) else { throw AuditError.tourInterrupted }
            let request = queries[query]
            for number in request.reading?.documents ?? [] where known.documents.insert(number).inserted {
                if let document = documents[number] { entries.append(document) }
            }
            entries.append(.request(request.made(at: time, on: user * connectionCount + 1)))
        }
        for (place, object) in page.objects.enumerated() {
            guard let request = downloads[object] else { throw AuditError.tourInterrupted }
            for object in siblings[object] ?? [] where known.objects.insert(object.object).inserted {
                entries.append(.object(object))
            }
            let connection = user * connectionCount + 2 + place % (connectionCount - 1)
            entries.append(.request(request.made(at: time, on: connection)))
        }
        return entries
    }

    /// The data that a log has lines of.
    struct Known {
        fileprivate var hasStart = false
        fileprivate var documents: Set<Int> = []
        fileprivate var objects: Set<String> = []
    }
}

extension SessionRequest {
    fileprivate func made(at time: Int64, on connection: Int) -> SessionRequest {
        var request = self
        request.record.startMicroseconds = time
        request.origin?.connection = connection
        return request
    }
}
