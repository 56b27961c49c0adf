// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension LoggedActivity {
    /// Takes in a line that `firemeter serve --record` wrote; returns the event that it is, if it is one.
    mutating func take(_ entry: SessionEntry) throws(SessionLogError) -> ActivityEvent? {
        switch entry {
        case .recording(let start): begin(start)
        case .document(let document): take(document)
        case .object(let object): take(object)
        case .request(let request), .part(let request): return try take(request)
        case .retraction(let request): try takeBack(request)
        case .header, .view, .image, .downloads, .unknown: break
        }
        return nil
    }

    private mutating func take(_ request: SessionRequest) throws(SessionLogError) -> ActivityEvent? {
        let record = request.record
        let totals = UsageTotals(record.content)
        add(totals, of: record.attribution.service)
        if let object = downloaded(request) {
            add(totals, ofObject: object)
            let download = LoggedDownload(
                object,
                LoggedDownload.Outcome(record),
                byteCount: record.sent.body,
                generation: generation(request.generation, of: object),
                tag: number(ofTag: record.attribution.tag)
            )
            return try append(.download(download), request)
        }
        guard let answer = answer(request) else { return nil }
        if let list = answer.list { add(totals, ofList: list) }
        return try append(.answer(answer), request)
    }

    /// Its line comes before or after the one that replaces it, which is about the same.
    private mutating func takeBack(_ request: SessionRequest) throws(SessionLogError) {
        let record = request.record
        let totals = UsageTotals(record.reversed.content)
        add(totals, of: record.attribution.service)
        let object = downloaded(request)
        if let object {
            add(totals, ofObject: object)
        } else if let answer = answer(request) {
            if let list = answer.list { add(totals, ofList: list) }
        } else {
            return
        }
        let retraction = ActivityEvent.Retraction(object: object, byteCount: record.sent.body)
        _ = try append(.takenBack(retraction), request)
    }

    private mutating func append(
        _ subject: ActivityEvent.Subject,
        _ request: SessionRequest
    ) throws(SessionLogError) -> ActivityEvent {
        try append(
            subject,
            by: number(ofCallerOf: request),
            at: request.record.startMicroseconds,
            on: number(ofConnectionOf: request.origin)
        )
    }

    /// The answer of a request that brought documents or a list, or was billed reads; `nil` for another.
    private mutating func answer(_ request: SessionRequest) -> LoggedAnswer? {
        if let listed = listed(request) { return listed }
        let record = request.record
        let reading = request.reading
        // No query causes the reads of Storage's rules.
        let isBilled = record.attribution.service == .firestore && record.billed.documentReads > 0
        guard reading != nil || isBilled else { return nil }
        let kind = LoggedAnswer.Kind(reading)
        let name = record.attribution.queryShape ?? record.attribution.collection ?? "a query"
        return LoggedAnswer(
            kind,
            list: kind == .list ? reading?.list.map { number(ofList: $0, named: name) } : nil,
            query: number(ofQuery: record.attribution.nameOfQuery),
            isContinued: reading?.isContinued ?? false,
            versions: reading?.documents.compactMap(version) ?? [],
            missingCount: reading?.missingCount ?? 0,
            byteCount: record.sent.body,
            documentReads: record.billed.documentReads,
            ruleReads: record.billed.ruleReads
        )
    }

    /// A page of a listing of objects; `nil` for another request, and where it failed.
    private mutating func listed(_ request: SessionRequest) -> LoggedAnswer? {
        let record = request.record
        guard let listing = request.listing, record.status == 200, let bucket = record.attribution.bucket else {
            return nil
        }
        let names = ListedNames(bucket: bucket, prefix: listing.prefix, hasDelimiter: listing.hasDelimiter)
        return LoggedAnswer(
            .objects,
            list: number(ofListing: names),
            query: number(ofQuery: names.description),
            isContinued: listing.isContinued,
            byteCount: record.sent.body,
            documentReads: 0
        )
    }

    /// The object whose bytes a request asked for and got, or has already.
    private mutating func downloaded(_ request: SessionRequest) -> Int? {
        let record = request.record
        guard request.reading == nil, record.content.cacheOutcome != nil, let object = record.attribution.object,
            let bucket = record.attribution.bucket
        else { return nil }
        return number(of: object, in: bucket)
    }

    private mutating func number(ofCallerOf request: SessionRequest) -> Int32 {
        let (attribution, address) = (request.record.attribution, address(of: request.origin))
        if let user = attribution.user { return number(of: Caller(kind: .token, name: user, address: address)) }
        return number(of: Caller(kind: .program, name: attribution.client ?? "anonymous", address: address))
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
