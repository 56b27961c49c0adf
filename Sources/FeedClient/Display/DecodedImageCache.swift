// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Imaging
import SessionLog

/// Images decoded to the size of their cells, above a pipeline of encoded ones.
///
/// Scrolling back decodes nothing. An image is kept at each size at which it was shown, for what its pixels take in memory;
/// call ``removeAll()`` when the system warns that memory is short. An image without a generation is decoded again only when
/// its server has another.
public final class DecodedImageCache: Sendable {
    /// How the images asked for were answered.
    public struct Statistics: Sendable, Hashable {
        /// Images that were decoded already.
        public var hits = 0
        /// Images that had to be decoded.
        public var decodes = 0
        /// Images that another request was decoding already.
        public var joined = 0
    }

    private struct Key: Hashable {
        let image: String
        let size: PixelSize

        var text: String { "\(image)@\(size.width)x\(size.height)" }
    }

    private struct Flight {
        let number: Int
        let task: Task<DecodedImage, any Error>
        var waiterCount = 1
    }

    private struct State {
        var images: MemoryCache<DecodedImage>
        var flights: [Key: Flight] = [:]
        var lastFlightNumber = 0
        var statistics = Statistics()
    }

    /// The encoded images.
    public let pipeline: ImagePipeline
    private let state: Locked<State>

    /// Creates an empty cache, of 32 MiB of pixels by default: some forty cells of 400x500.
    public init(pipeline: ImagePipeline, byteCountMax: Int = 32 << 20, policy: CachePolicyChoice = .lru) {
        self.pipeline = pipeline
        state = Locked(State(images: MemoryCache(byteCountMax: byteCountMax, policy: policy)))
    }

    /// The bytes of the decoded images that are kept.
    public var byteCount: Int { state.withLock { $0.images.byteCount } }

    /// How the images asked for so far were answered.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Forgets all decoded images; those that are on a screen stay with it, and the pipeline's caches are not touched.
    public func removeAll() { state.withLock { $0.images.removeAll() } }

    /// The image if it is decoded already, for a cell that must not be empty for a moment.
    ///
    /// `nil` for an image without a generation, whose server may have another.
    public func decodedImage(for reference: ImageReference, covering size: PixelSize) -> DecodedImage? {
        guard reference.generation != nil else { return nil }
        return kept(Key(image: reference.cacheKey, size: size))
    }

    /// The image, decoded at the least size that covers a cell.
    ///
    /// Throws ``FeedError``, also where the image that came cannot be decoded (``FeedError/Code/undecodable``), or
    /// `CancellationError` when the task is cancelled.
    public func image(
        for reference: ImageReference,
        covering size: PixelSize,
        priority: ImagePriority = .normal
    ) async throws -> DecodedImage {
        guard reference.generation == nil else {
            let key = Key(image: reference.cacheKey, size: size)
            if let image = kept(key) { return image }
            return try await decoded(key, subject: reference.subject, priority: priority) { [pipeline] in
                try await pipeline.image(for: reference, priority: priority)
            }
        }
        let data = try await pipeline.image(for: reference, priority: priority)
        let key = Key(image: "\(reference.cacheKey) \(data.count) \(data.crc32c)", size: size)
        if let image = kept(key) { return image }
        return try await decoded(key, subject: reference.subject, priority: priority) { data }
    }

    private func kept(_ key: Key) -> DecodedImage? {
        state.withLock { state in
            let image = state.images.value(for: key.text)
            if image != nil { state.statistics.hits += 1 }
            return image
        }
    }

    /// Waits for the decoding of an image, which is begun unless it is under way; no one else's is cancelled.
    private func decoded(
        _ key: Key,
        subject: String,
        priority: ImagePriority,
        _ data: @escaping @Sendable () async throws -> Data
    ) async throws -> DecodedImage {
        let flight = state.withLock { state in
            if let flight = state.flights[key] {
                state.flights[key]?.waiterCount += 1
                state.statistics.joined += 1
                return flight
            }
            state.lastFlightNumber += 1
            let number = state.lastFlightNumber
            let task = Task(priority: priority.taskPriority) {
                defer { self.end(key, number) }
                return try await self.decode(try await data(), for: key, subject: subject)
            }
            let flight = Flight(number: number, task: task)
            state.flights[key] = flight
            return flight
        }
        return try await withTaskCancellationHandler {
            let image = try await flight.task.value
            try Task.checkCancellation()
            return image
        } onCancel: {
            leave(key, flight.number)
        }
    }

    private func decode(_ data: Data, for key: Key, subject: String) async throws -> DecodedImage {
        try Task.checkCancellation()
        let image: DecodedImage
        do {
            image = try DecodedImage(data, covering: key.size.width, by: key.size.height)
        } catch {
            throw FeedError.undecodable(subject, because: error)
        }
        state.withLock { state in
            state.statistics.decodes += 1
            state.images.store(image, for: key.text, byteCount: image.byteCount)
        }
        return image
    }

    private func end(_ key: Key, _ number: Int) {
        state.withLock { if $0.flights[key]?.number == number { $0.flights[key] = nil } }
    }

    /// Takes one who waited away from a decoding, and ends it if there is no one else.
    private func leave(_ key: Key, _ number: Int) {
        let abandoned = state.withLock { state -> Task<DecodedImage, any Error>? in
            guard let flight = state.flights[key], flight.number == number else { return nil }
            state.flights[key]?.waiterCount -= 1
            guard flight.waiterCount == 1 else { return nil }
            state.flights[key] = nil
            return flight.task
        }
        abandoned?.cancel()
    }
}
