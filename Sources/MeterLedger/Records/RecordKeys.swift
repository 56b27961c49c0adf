// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The ids of the texts of a record: those that its row holds, and those that only rollups go by.
struct RecordKeys {
    let method: Int64
    let outcome: Int64
    let abortCause: Int64?
    let service: Int64
    let operation: Int64
    let bucket: Int64?
    let object: Int64?
    let feed: Int64?
    let database: Int64?
    let collection: Int64?
    let query: Int64?
    let client: Int64?
    let user: Int64?
    let tag: Int64?
    let variant: Int64?
    let cache: Int64?
    let status: Int64

    init(_ content: UsageRecord.Content, texts: inout TextInterner, in table: TextTable) throws {
        texts.beginRecord()
        let attribution = content.attribution
        method = try texts.id(of: content.method, in: table)
        outcome = try texts.id(of: content.outcome.rawValue, in: table)
        abortCause = try texts.idIfAny(of: content.abortCause?.rawValue, in: table)
        service = try texts.id(of: attribution.service.rawValue, in: table)
        operation = try texts.id(of: attribution.operation, in: table)
        bucket = try texts.idIfAny(of: attribution.bucket, in: table)
        object = try texts.idIfAny(of: attribution.object, in: table)
        feed = try texts.idIfAny(of: attribution.image.map { "\($0.owner)/\($0.feed)" }, in: table)
        database = try texts.idIfAny(of: attribution.database, in: table)
        collection = try texts.idIfAny(of: attribution.collection, in: table)
        query = try texts.idIfAny(of: attribution.queryShape, in: table)
        client = try texts.idIfAny(of: attribution.client, in: table)
        user = try texts.idIfAny(of: attribution.user, in: table)
        tag = try texts.idIfAny(of: attribution.tag, in: table)
        variant = try texts.idIfAny(of: attribution.variant?.rawValue, in: table)
        cache = try texts.idIfAny(of: content.cacheOutcome?.rawValue, in: table)
        status = try texts.id(of: content.status == 0 ? "" : String(content.status), in: table)
    }
}
