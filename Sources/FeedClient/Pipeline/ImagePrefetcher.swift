// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Loads images into the caches before anybody asks for them, within a budget of bytes.
///
/// Images that it loads and no one asks for are ``ByteCause/prefetchedUnused`` in the pipeline's ledger. Images without a
/// known size are loaded one at a time, so that at most one goes beyond the budget.
public actor ImagePrefetcher {
    /// The bytes that may be loaded in all.
    public let byteCountMax: Int
    /// The bytes loaded, or being loaded, so far; of an image whose beginning a cache has, all of them count.
    public private(set) var spentByteCount = 0
    private let pipeline: ImagePipeline

    /// Creates a prefetcher with a budget of its own.
    public init(pipeline: ImagePipeline, byteCountMax: Int) {
        self.pipeline = pipeline
        self.byteCountMax = byteCountMax
    }

    /// Loads what the budget allows, in order, but for what the caches hold; returns when all has come or failed.
    ///
    /// Cancel the task when the images are not wanted any more.
    public func prefetch(_ references: [ImageReference]) async {
        var seen: Set<String> = []
        var affordable: [ImageReference] = []
        for reference in references where seen.insert(reference.cacheKey).inserted {
            guard await !pipeline.holds(reference) else { continue }
            guard let byteCount = reference.byteCount, byteCount >= 0 else {
                if spentByteCount < byteCountMax { await load([reference]) }
                continue
            }
            guard byteCount <= byteCountMax - spentByteCount else { continue }
            spentByteCount += byteCount
            affordable.append(reference)
        }
        await load(affordable)
    }

    private func load(_ references: [ImageReference]) async {
        var awaited = Set(references.indices)
        if !Task.isCancelled {
            for await delivery in await pipeline.images(for: references, priority: .prefetch) {
                awaited.remove(delivery.index)
                spentByteCount -= references[delivery.index].promisedByteCount
                spentByteCount += (try? delivery.result.get().count) ?? 0
            }
        }
        // The place of a cancelled load is free for others.
        for index in awaited { spentByteCount -= references[index].promisedByteCount }
    }
}

extension ImageReference {
    fileprivate var promisedByteCount: Int { max(0, byteCount ?? 0) }
}
