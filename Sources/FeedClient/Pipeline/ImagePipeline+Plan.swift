// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImagePipeline {
    /// Decides where an image comes from.
    ///
    /// Files are read here too: a later read might find the file evicted by another image of the same batch, or not,
    /// depending on whose response came first.
    func plan(_ reference: ImageReference, for waiter: Waiter) {
        let ticket = takeTicket()
        let key = reference.cacheKey
        if let data = memory?.data(for: key, ticket: ticket) {
            statistics.memoryHits += 1
            statistics.memoryByteCount += data.count
            deliver(.success(data), to: waiter)
        } else if let data = disk?.data(for: key, ticket: ticket) {
            statistics.diskHits += 1
            statistics.diskByteCount += data.count
            memory?.store(data, for: key, ticket: ticket)
            deliver(.success(data), to: waiter)
        } else if configuration.joinsRequests, loads.join(key, waiter, ticket: ticket) {
            return
        } else {
            loads.enqueue(Load(reference: reference, key: key, ticket: ticket, waiters: [waiter]))
        }
    }

    func deliver(_ result: Result<Data, FeedError>, to waiter: Waiter) {
        guard var batch = batches.removeValue(forKey: waiter.batchID) else { return }
        batch.continuation.yield(ImageDelivery(index: waiter.index, result: result))
        batch.awaitedCount -= 1
        if batch.awaitedCount > 0 {
            batches[waiter.batchID] = batch
        } else {
            batch.continuation.finish()
        }
    }
}
