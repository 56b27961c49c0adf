// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An event of an image's load.
public enum ImageEvent: Sendable, Hashable {
    /// `receivedByteCount` bytes have come; the whole image's are `nil` when its server does not announce it.
    case progress(receivedByteCount: Int, wholeByteCount: Int?)
    /// The encoded image, last of all.
    case image(Data, ImageOrigin)
}

extension ImagePipeline {
    /// Loads one image and reports its progress.
    ///
    /// Images in a cache come at once. The stream throws ``FeedError``; letting go of it abandons the image.
    public func events(
        for reference: ImageReference,
        priority: ImagePriority = .normal
    ) -> AsyncThrowingStream<ImageEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ImageEvent.self, throwing: (any Error).self)
        let deliveries = images(for: [reference], priority: priority)
        if let id = loads.id(of: key(of: reference)) {
            loads[id]?.progress.watch { receivedByteCount, wholeByteCount in
                continuation.yield(.progress(receivedByteCount: receivedByteCount, wholeByteCount: wholeByteCount))
            }
        }
        let task = Task {
            for await delivery in deliveries {
                switch delivery.outcome {
                case .success(let image): continuation.yield(.image(image.data, image.origin))
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// One image of a batch, or why it did not come.
public struct ImageDelivery: Sendable {
    /// The image's place in the batch.
    public let index: Int
    /// The encoded image and where it came from, or why it did not.
    let outcome: Result<(data: Data, origin: ImageOrigin), FeedError>

    /// The encoded image.
    public var result: Result<Data, FeedError> { outcome.map(\.data) }
    /// Where it came from; `nil` when it did not come.
    public var origin: ImageOrigin? { try? outcome.get().origin }
}

/// How soon an image is wanted; of equal ones, what was asked for first is loaded first.
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Perhaps later: takes at most a third of the connections, and only when nothing else waits.
    case prefetch
    /// Near the screen.
    case low
    /// On the screen.
    case normal
    /// The loads that the user waits for.
    case high

    /// Compares by how soon.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ImagePriority {
    /// The priority of tasks that work for it.
    var taskPriority: TaskPriority {
        switch self {
        case .prefetch: .background
        case .low: .utility
        case .normal: .medium
        case .high: .high
        }
    }
}
