// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ImagePipeline {
    /// Which caches a pipeline has, and how it loads.
    public struct Configuration: Sendable {
        /// The cache in memory; `nil` for none.
        public var memory: Memory?
        /// The cache on disk; `nil` for none.
        public var disk: Disk?
        /// Whether a request for an image that is being loaded waits for it instead of loading it again.
        public var joinsRequests: Bool
        /// The most images loaded from one host at a time.
        public var concurrentLoadCountMax: Int
        /// The bytes of large images that may be loaded from one host at a time, beyond three of them; `.max` for no limit.
        ///
        /// Loads share a link: six large images that are loaded at once all arrive at the end; loaded three at a time, half of
        /// them are there after half the time. Small images do not fill a link by themselves: those of which as many as may be
        /// loaded at a time fit into this limit, and those whose size is in no document, neither count nor wait for large
        /// ones. Loads of a lower priority do not count either.
        public var concurrentLoadByteCountMax: Int
        /// How often a load that failed for a passing reason is tried again.
        public var retries: RetryPolicy
        /// The treatment of images that their server may have replaced: those without a generation.
        public var staleness: Staleness
        /// A guard that withholds loads; asked before each load from the network.
        public var dataGuard: (any DataGuard)?
        /// Gives the tokens that open private buckets; `nil` where everyone may read.
        ///
        /// They are sent with the loads of objects whose reference has no download token, smaller copies among them, and never
        /// with those of other addresses.
        public var credentials: (any FirebaseCredentialProvider)?

        /// Creates a configuration: 64 MiB in memory, nothing on disk, three to six loads at a time, three attempts each.
        public init(
            memory: Memory? = Memory(),
            disk: Disk? = nil,
            joinsRequests: Bool = true,
            concurrentLoadCountMax: Int = ImagePipeline.concurrentLoadCountMaxDefault,
            concurrentLoadByteCountMax: Int = ImagePipeline.concurrentLoadByteCountMaxDefault,
            retries: RetryPolicy = RetryPolicy(),
            staleness: Staleness = .revalidate,
            dataGuard: (any DataGuard)? = nil,
            credentials: (any FirebaseCredentialProvider)? = nil
        ) {
            precondition(concurrentLoadCountMax > 0, "a pipeline that loads nothing at a time never ends")
            precondition(concurrentLoadByteCountMax >= 0, "a number of bytes is not negative")
            self.memory = memory
            self.disk = disk
            self.joinsRequests = joinsRequests
            self.concurrentLoadCountMax = concurrentLoadCountMax
            self.concurrentLoadByteCountMax = concurrentLoadByteCountMax
            self.retries = retries
            self.staleness = staleness
            self.dataGuard = dataGuard
            self.credentials = credentials
        }

        /// A cache of encoded images in memory.
        public struct Memory: Sendable, Hashable {
            /// The most bytes of images; of thumbnails only, if full images have a pool of their own.
            public var byteCountMax: Int
            /// The most bytes of full images in a pool of their own; `nil` for one pool for all.
            public var fullByteCountMax: Int?
            /// The entry to evict when there is no room.
            public var policy: CachePolicyChoice

            /// Creates a description of a cache in memory.
            public init(
                byteCountMax: Int = 64 << 20,
                fullByteCountMax: Int? = nil,
                policy: CachePolicyChoice = .lru
            ) {
                self.byteCountMax = byteCountMax
                self.fullByteCountMax = fullByteCountMax
                self.policy = policy
            }
        }

        /// A cache on disk.
        public struct Disk: Sendable, Hashable {
            /// The directory, which several processes may share.
            public var directory: URL
            /// The most bytes of images on disk.
            public var byteCountMax: Int
            /// For how long an image that is not requested is kept; `nil` for ever.
            public var ageMax: Duration?
            /// The entry to evict when there is no room.
            public var policy: CachePolicyChoice

            /// Creates a description of a cache on disk.
            public init(
                directory: URL,
                byteCountMax: Int = 256 << 20,
                ageMax: Duration? = nil,
                policy: CachePolicyChoice = .lru
            ) {
                self.directory = directory
                self.byteCountMax = byteCountMax
                self.ageMax = ageMax
                self.policy = policy
            }
        }

        /// The treatment of a cached image that its server may have replaced.
        ///
        /// It concerns references without a generation whose `Cache-Control` lifetime is over, which it is at once for
        /// objects that were uploaded without one.
        public enum Staleness: Sendable, Hashable {
            /// The server is asked first, by the entity tag: a 304 has no body. When it does not answer, the image is shown as
            /// it is.
            case revalidate
            /// The image is shown, the server is asked, and what it has is shown the next time.
            case staleWhileRevalidate
            /// The image is shown for as long as it is cached, even if its server has another.
            case ignore
        }
    }
}
