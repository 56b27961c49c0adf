// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

extension SimulatedPipeline {
    /// Loads an image from its server, or what is left of it, or asks whether it has another than the one that is known.
    mutating func request(
        _ reference: ImageReference,
        key: String,
        known: SimulatedImage?,
        head: SimulatedImage?,
        at now: Int64
    ) async throws -> Load {
        var request = reference.request(storage: catalog.endpoint.storage)
        if let known { request.revalidate(known) }
        if let head { request.resume(afterByteCount: head.byteCount, entityTag: head.entityTag) }
        let exchange = try await catalog.exchange(request)
        let headers = exchange.headers
        let freshUntil = Freshness(headers).freshUntil(from: now)
        switch exchange.status {
        case 304:
            guard var image = known else { throw FailedImage(subject: reference.subject, exchange: exchange) }
            image.freshUntil = freshUntil
            disk?.note(freshUntil: freshUntil, for: key)
            return Load(key: key, origin: .revalidation, image: image, exchange: exchange, filedAs: key)
        case 200, 206:
            let image = SimulatedImage(
                byteCount: exchange.byteCount + (exchange.status == 206 ? head?.byteCount ?? 0 : 0),
                freshUntil: freshUntil,
                entityTag: headers["ETag"] ?? ""
            )
            var load = Load(
                key: key,
                origin: .network,
                image: image,
                exchange: exchange,
                filedAs: keys.key(of: reference, askedAs: key, served: headers.servedGeneration)
            )
            load.isStorable = Freshness(headers).isStorable
            return load
        default: throw FailedImage(subject: reference.subject, exchange: exchange)
        }
    }
}

/// An image that the servers do not have.
struct FailedImage: Error {
    let subject: String
    let exchange: FeedCatalog.Exchange
}
