// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension LoggedActivity {
    /// Takes in a line that `emulator serve --record` wrote; returns the event that it is, if it is one.
    mutating func take(_ entry: SessionEntry) throws(SessionLogError) -> ActivityEvent? {
        switch entry {
        case .recording(let start): begin(start)
        case .document(let document): take(document)
        case .object(let object): take(object)
        case .request(let request), .part(let request): return try take(request)
        case .retraction(let request): try takeBack(request)
        case .header, .view, .image, .unknown: break
        }
        return nil
    }

    private mutating func take(_ request: SessionRequest) throws(SessionLogError) -> ActivityEvent? {
        let record = request.record
        let totals = UsageTotals(record.content)
        add(totals, of: record.attribution.service)
        if request.reading == nil, let object = downloaded(record) {
            add(totals, ofObject: object)
            return try append(.download(object), by: number(ofUserOf: record), at: record.startMicroseconds)
        }
        let versions = request.reading?.documents.compactMap(version) ?? []
        guard request.reading != nil || record.billed.documentReads > 0 else { return nil }
        let answer = answer(request, versions)
        if let list = answer.list { add(totals, ofList: list) }
        return try append(.answer(answer), by: number(ofUserOf: record), at: record.startMicroseconds)
    }

    /// Its line comes before or after the one that replaces it, which is about the same.
    private mutating func takeBack(_ request: SessionRequest) throws(SessionLogError) {
        let record = request.record
        let totals = UsageTotals(record.reversed.content)
        add(totals, of: record.attribution.service)
        let object = request.reading == nil ? downloaded(record) : nil
        if let object {
            add(totals, ofObject: object)
        } else if request.reading != nil || record.billed.documentReads > 0 {
            if let list = answer(request, []).list { add(totals, ofList: list) }
        } else {
            return
        }
        let subject = ActivityEvent.Subject.takenBack(isDownload: object != nil)
        _ = try append(subject, by: number(ofUserOf: record), at: record.startMicroseconds)
    }

    private mutating func answer(_ request: SessionRequest, _ versions: [LoggedAnswer.Version]) -> LoggedAnswer {
        let record = request.record
        let reading = request.reading
        let kind = LoggedAnswer.Kind(reading)
        let name = record.attribution.queryShape ?? record.attribution.collection ?? "a query"
        return LoggedAnswer(
            kind,
            list: kind == .list ? reading?.list.map { number(ofList: $0, named: name) } : nil,
            query: number(ofQuery: record.attribution.nameOfQuery),
            isContinued: reading?.isContinued ?? false,
            versions: versions,
            missingCount: reading?.missingCount ?? 0,
            byteCount: record.sent.body,
            documentReads: record.billed.documentReads
        )
    }

    /// The object whose bytes a request asked for and got, or has already.
    private mutating func downloaded(_ record: UsageRecord) -> Int? {
        guard record.content.cacheOutcome != nil, let object = record.attribution.object,
            let bucket = record.attribution.bucket
        else { return nil }
        return number(of: object, in: bucket)
    }

    private mutating func number(ofUserOf record: UsageRecord) -> Int32 {
        let attribution = record.attribution
        return number(ofUser: attribution.user ?? attribution.tag ?? attribution.client ?? "anonymous")
    }
}

extension LoggedAnswer.Kind {
    fileprivate init(_ reading: SessionRequest.Reading?) {
        guard let reading else {
            self = .undescribed
            return
        }
        self =
            reading.isAggregation
            ? .counted : reading.isChange ? .changes : reading.list != nil ? .list : .documents
    }
}

extension UsageAttribution {
    /// The query in words, without values; documents read by name have their collection.
    fileprivate var nameOfQuery: String { queryShape ?? collection.map { "\($0), by name" } ?? operation }
}
