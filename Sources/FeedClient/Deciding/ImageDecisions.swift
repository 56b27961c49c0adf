// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The properties of a cached image that decisions depend on, be it an image or only its size.
package protocol CacheableImage: Sendable {
    /// Empty when the server gave none.
    var entityTag: String { get }
    /// Until when the image may be shown without asking its server, in microseconds since 1970.
    var freshUntil: Int64 { get }
}

/// The decisions about an image on its way through the caches: pure, so that they stand once.
///
/// ``ImagePipeline`` takes them over images and does the input and output; the auditor's `SimulatedPipeline` takes them
/// over sizes. What one would load, the other loads.
///
///     memory ──▶ load in flight ──▶ disk ──▶ network
package struct ImageDecisions: Sendable {
    /// The next thing to do for an image that was asked for.
    package enum Step<Image: CacheableImage> {
        /// Show it; where `revalidates`, its server is asked afterwards whether there is another.
        case show(Image, revalidates: Bool)
        /// Wait for a load that was begun for another request.
        case join
        /// Look on disk.
        case readDisk
        /// Load it, or ask its server whether it has another than the known one.
        case load(known: Image?)
    }

    /// The treatment of an image whose turn to enter a cache has come.
    package enum Keeping {
        case touch
        case store
    }

    let joinsRequests: Bool
    let staleness: ImagePipeline.Configuration.Staleness

    package init(joinsRequests: Bool, staleness: ImagePipeline.Configuration.Staleness) {
        self.joinsRequests = joinsRequests
        self.staleness = staleness
    }

    /// The first step for an image.
    package func step<Image>(
        for reference: ImageReference,
        inMemory image: Image?,
        isInFlight: Bool,
        now: Int64
    ) -> Step<Image> {
        if let image, let step = showing(image, of: reference, now: now) { return step }
        return joinsRequests && isInFlight ? .join : .readDisk
    }

    /// The step after the disk: what it holds counts more than a stale image in memory.
    package func step<Image>(
        for reference: ImageReference,
        onDisk: Image?,
        staleInMemory inMemory: Image?,
        now: Int64
    ) -> Step<Image> {
        guard let onDisk else { return .load(known: inMemory) }
        return showing(onDisk, of: reference, now: now) ?? .load(known: onDisk)
    }

    /// Showing a cached image; `nil` where its server must be asked first.
    ///
    /// An object's generation never changes, so an image of one is always fresh.
    private func showing<Image>(_ image: Image, of reference: ImageReference, now: Int64) -> Step<Image>? {
        guard reference.generation == nil, image.freshUntil <= now else { return .show(image, revalidates: false) }
        switch staleness {
        case .ignore: return .show(image, revalidates: false)
        case .staleWhileRevalidate: return .show(image, revalidates: true)
        case .revalidate: return nil
        }
    }

    /// Memory's treatment of an image; one that several requests wait for is stored at the first one's turn.
    package static func keepingInMemory(wasStored: Bool, isInMemory: Bool) -> Keeping {
        wasStored && isInMemory ? .touch : .store
    }

    /// The disk's treatment of an image, once.
    package static func keepingOnDisk(_ origin: ImageOrigin, isOnDisk: Bool) -> Keeping {
        switch origin {
        case .memory, .disk: .touch
        case .revalidation: isOnDisk ? .touch : .store
        case .network: .store
        }
    }
}
