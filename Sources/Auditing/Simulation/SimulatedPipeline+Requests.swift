// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

extension SimulatedPipeline {
    /// Loads an image from its server, or what is left of it, or asks whether it has another than the one that is known.
    mutating func request(
        _ reference: ImageReference,
        _ key: String,
        known: SimulatedImage?,
        head: SimulatedImage?,
        _ now: Int64
    ) async throws -> Load {
        var request = reference.request(storage: catalog.endpoint.storage)
        if let known, !known.entityTag.isEmpty { request.headers["If-None-Match"] = known.entityTag }
        if let head {
            request.headers["Range"] = "bytes=\(head.byteCount)-"
            request.headers["If-Range"] = head.entityTag
        }
        let exchange = try await catalog.exchange(request)
        let headers = exchange.headers
        let freshUntil = Freshness(headers).freshUntil(from: now)
        switch exchange.status {
        case 304:
            guard var image = known else { throw FailedImage(subject: reference.subject, exchange: exchange) }
            image.freshUntil = freshUntil
            disk?.note(freshUntil: freshUntil, for: key)
            return Load(key: key, source: .revalidation, image: image, exchange: exchange, filedAs: key)
        case 200, 206:
            let image = SimulatedImage(
                byteCount: exchange.byteCount + (exchange.status == 206 ? head?.byteCount ?? 0 : 0),
                freshUntil: freshUntil,
                entityTag: headers["ETag"] ?? ""
            )
            var load = Load(
                key: key,
                source: .network,
                image: image,
                exchange: exchange,
                filedAs: filed(reference, key, as: headers)
            )
            load.isStorable = Freshness(headers).isStorable
            return load
        default: throw FailedImage(subject: reference.subject, exchange: exchange)
        }
    }

    /// What the caches file an image under that came: as the client does, the generation that came.
    private mutating func filed(_ reference: ImageReference, _ key: String, as headers: HeaderFields) -> String {
        guard let asked = reference.generation, let came = headers["x-goog-generation"].flatMap({ Int64($0) }) else {
            return key
        }
        let served = reference.cacheKey(served: came)
        if came > asked, served != reference.cacheKey { successors[reference.cacheKey] = served }
        return served
    }
}

/// An image that the servers do not have.
struct FailedImage: Error {
    let subject: String
    let exchange: FeedCatalog.Exchange
}
