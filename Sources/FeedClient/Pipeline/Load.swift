// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// Where an image of a batch is to be delivered, and its turn among all that was asked for.
struct Waiter {
    let batchID: Int
    let index: Int
    let ticket: UInt64
}

/// A caller's batch of images.
struct Batch {
    let continuation: AsyncStream<ImageDelivery>.Continuation
    let priority: ImagePriority
    /// The images not delivered yet.
    var awaitedCount: Int
    /// The loads that the batch waits for.
    var loadIDs: Set<Int> = []
}

/// An image that came and whose turn to enter the caches has not come yet, because something that was asked for earlier is
/// still on its way.
struct Arrival {
    let image: CachedImage
    let origin: ImageOrigin
    /// The cache key of the image.
    let key: String
    /// A file that the disk cache can take in.
    var file: URL?
    /// Whether its server lets it be kept.
    var isStorable = true
    /// Whether the caches have been given it.
    var isStored = false
}

/// An image on its way, and who waits for it.
struct Load {
    /// The phase of a load.
    enum Phase {
        /// Its file is being read.
        case reading
        /// It waits for a place among the running.
        case queued
        /// It is being loaded from the network.
        case running(Task<Void, Never>, startedAs: ImagePriority)
        /// It was cancelled, and its download is being kept; it begins again if it is requested meanwhile.
        case stopping(startedAs: ImagePriority)
        /// It came.
        case arrived(Arrival)
    }

    let reference: ImageReference
    let key: String
    let host: String
    let progress = ProgressRelay()
    var phase: Phase
    var priority: ImagePriority
    /// The first asked for the image, the others joined.
    var waiters: [Waiter]
    /// The image that a cache holds, if it is only asked whether there is another.
    var known: CachedImage?
    /// The beginning of the image that a cache holds.
    var head: CachedImage?
    /// The turn of a load that is not awaited, because a cache has answered already.
    var backgroundTicket: UInt64?
    /// The turns that have not come yet.
    var pendingTicketCount = 0

    /// The link capacity booked while the load runs.
    var bookedByteCount = 0

    /// The size that the post's document has, 0 where it has none, and for an image that its server is only asked about.
    var byteCount: Int {
        guard known == nil, let told = reference.byteCount else { return 0 }
        return min(max(0, told), URLSessionTransport.responseByteCountMax)
    }

    var isWanted: Bool { !waiters.isEmpty || backgroundTicket != nil }
}

/// Reports a load's progress to its watchers.
final class ProgressRelay: Sendable {
    typealias Watcher = @Sendable (_ receivedByteCount: Int, _ wholeByteCount: Int?) -> Void

    private let watchers = Locked<[Watcher]>([])

    func watch(_ watcher: @escaping Watcher) { watchers.withLock { $0.append(watcher) } }

    func report(_ receivedByteCount: Int, of wholeByteCount: Int?) {
        for watcher in watchers.withLock({ $0 }) { watcher(receivedByteCount, wholeByteCount) }
    }
}
