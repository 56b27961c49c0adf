// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The decisions about an image on its way through the caches: pure, so that they stand once.
///
/// ``ImagePipeline`` takes them over images and does the input and output; the auditor's `SimulatedPipeline` takes them
/// over sizes. What one would load, the other loads. Of a cached image they take until when it may be shown without asking
/// its server, in microseconds since 1970.
///
///     memory ──▶ load in flight ──▶ disk ──▶ network
package struct ImageDecisions: Sendable {
    /// The first thing to do for an image that was asked for.
    package enum FirstStep: Sendable, Hashable {
        /// Show what is in memory; where `revalidates`, its server is asked afterwards whether there is another.
        case show(revalidates: Bool)
        /// Wait for a load that was begun for another request.
        case join
        /// Look on disk.
        case readDisk
    }

    /// The thing to do after looking on disk.
    package enum SecondStep: Sendable, Hashable {
        /// Show what is on disk; where `revalidates`, its server is asked afterwards whether there is another.
        case show(revalidates: Bool)
        /// Load it, or ask its server whether it has another than the one that is known: on disk, else in memory.
        case load
    }

    /// The treatment of an image whose turn to enter a cache has come.
    package enum Keeping: Sendable, Hashable {
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
    ///
    /// - Parameters:
    ///   - hasGeneration: Whether the generation that is asked for is known.
    ///   - freshUntil: Until when the image in memory is fresh; `nil` where there is none.
    ///   - isInFlight: Whether it is being loaded.
    ///   - now: Microseconds since 1970.
    /// - Returns: The step.
    package func firstStep(
        hasGeneration: Bool,
        inMemoryFreshUntil freshUntil: Int64?,
        isInFlight: Bool,
        now: Int64
    ) -> FirstStep {
        if let freshUntil, let revalidates = showing(freshUntil, hasGeneration: hasGeneration, now: now) {
            return .show(revalidates: revalidates)
        }
        return joinsRequests && isInFlight ? .join : .readDisk
    }

    /// The step after the disk: what it holds counts more than a stale image in memory.
    package func secondStep(hasGeneration: Bool, onDiskFreshUntil freshUntil: Int64?, now: Int64) -> SecondStep {
        guard let freshUntil, let revalidates = showing(freshUntil, hasGeneration: hasGeneration, now: now) else {
            return .load
        }
        return .show(revalidates: revalidates)
    }

    /// Whether a cached image that is shown is revalidated; `nil` where its server must be asked first.
    ///
    /// An object's generation never changes, so an image of one is always fresh.
    private func showing(_ freshUntil: Int64, hasGeneration: Bool, now: Int64) -> Bool? {
        guard !hasGeneration, freshUntil <= now else { return false }
        switch staleness {
        case .ignore: return false
        case .staleWhileRevalidate: return true
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
