// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient

/// A way for an app to load its feed, whose cost is to be measured.
package struct Strategy: Sendable, Hashable {
    /// A cache of images.
    package struct Cache: Sendable, Hashable {
        /// The most bytes of images.
        package var byteCountMax: Int
        /// The entry to evict when there is no room.
        package var policy = CachePolicyChoice.lru
        /// For how long an image that is not requested is kept; `nil` for ever.
        package var ageMax: Duration?

        /// Creates a cache.
        package init(byteCountMax: Int, policy: CachePolicyChoice = .lru, ageMax: Duration? = nil) {
            self.byteCountMax = byteCountMax
            self.policy = policy
            self.ageMax = ageMax
        }
    }

    /// The protocol that images come over.
    package enum HTTPVersion: String, Sendable, Hashable {
        /// HTTP/1.1: as many connections as loads.
        case http1
        /// HTTP/2: one connection, the more important image first.
        case http2
    }

    /// How a list's documents are read.
    package enum ListReading: Sendable, Hashable {
        /// By a query each time that the list is shown.
        case query
        /// By a listener while the app runs.
        case listen
        /// By a listener that continues after a restart, from the documents on disk; with an age, from those alone while
        /// they are not older (`source: cache`).
        case persistence(ageMax: Duration?)
    }

    /// The name, as reports show it.
    package var name: String
    /// Which images the list loads.
    package var mode: FeedMode
    /// The part of image 0 that the list loads with `.thumbnails`.
    package var thumbnails = ThumbnailForm.whole
    /// The cache in memory; `nil` for none.
    package var memory: Cache?
    /// The cache on disk; `nil` for none.
    package var disk: Cache?
    /// The most bytes of further images that are loaded beforehand for each page; `nil` for none.
    package var prefetchByteCountMax: Int?
    /// Whether an image that is on its way is waited for instead of loaded again.
    package var joinsRequests = true
    /// The most images loaded at a time.
    package var concurrentLoadCountMax = ImagePipeline.concurrentLoadCountMaxDefault
    /// How lists' documents are read; simulated only.
    package var listReading = ListReading.query
    /// The posts of a page; `nil` for as many as were recorded.
    package var pageSize: Int?
    /// The HTTP version of image downloads; it changes times only.
    package var httpVersion = HTTPVersion.http1
    /// Whether the address of each image is asked for (`getDownloadURL`), since the post's document does not have it.
    package var looksUpURLs = false
    /// Whether cached images are revalidated each time, since their document has no generation.
    package var revalidates = false
    /// Whether cells are laid out when their images have come; it changes times only.
    package var waitsForImages = false

    /// The lengths of a side of a smaller copy.
    static let variantSides = 1...10_000
    /// The first bytes of a progressive image, by default.
    static let prefixByteCountDefault = 64 << 10
    /// The size of a cache in memory that is given none.
    package static let memoryByteCountMaxDefault = 64 << 20
    /// The size of a cache on disk that is given none.
    package static let diskByteCountMaxDefault = 256 << 20

    /// The smaller copies that the list loads.
    package var resizedVariant: ResizedVariant? {
        guard mode == .thumbnails, case .resized(let variant) = thumbnails else { return nil }
        return variant
    }

    /// Creates a strategy that keeps nothing.
    package init(name: String, mode: FeedMode) {
        self.name = name
        self.mode = mode
    }
}

extension Strategy {
    /// The origin's first version: it loads every image of every post and keeps none.
    package static let baseline = preset("all-images")

    /// The name under which reports show the recorded requests, which are not simulated.
    package static let recorded = Strategy(name: "recorded", mode: .allImages)

    /// The way from the origin's first version to its last, in its order; the first is the baseline.
    package static let presets = [
        baseline,
        preset("all-images+memory"),
        preset("thumbnails"),
        preset("thumbnails+memory"),
        preset("thumbnails+memory+disk"),
    ]

    /// The teams' code before and after their refactorings.
    ///
    /// `feed`: thumbnails and two caches. `posters`: images one after the other, then concurrently. `layout`: pages that waited
    /// for all their images, then cells that are laid out by the sizes in their documents.
    package static let named = [
        preset("feed-before", text: "all-images"),
        preset("feed-after", text: "thumbnails+memory+disk"),
        preset("posters-before", text: "thumbnails+concurrency:1"),
        preset("posters-after", text: "thumbnails+concurrency:6"),
        preset("layout-before", text: "thumbnails+disk+concurrency:1+layout-last"),
        preset("layout-after", text: "thumbnails+memory+disk"),
    ]

    /// Finds a preset by its name, or reads the strategy that the text describes.
    package init(_ text: String) throws(StrategyError) {
        if let preset = Self.named.first(where: { $0.name == text }) {
            self = preset
        } else {
            self = try StrategyParser(text).parse()
        }
    }

    private static func preset(_ name: String, text: String? = nil) -> Strategy {
        guard var strategy = try? StrategyParser(text ?? name).parse() else {
            preconditionFailure("the preset \(name) ships, and its text is right")
        }
        strategy.name = name
        return strategy
    }
}
