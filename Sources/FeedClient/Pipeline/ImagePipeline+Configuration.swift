// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ImagePipeline {
    /// Which caches a pipeline has, and how it loads.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes of images in memory; `nil` for no cache in memory.
        public var memoryByteCountMax: Int?
        /// The cache on disk; `nil` for none.
        public var disk: Disk?
        /// Whether a request for an image that is being loaded waits for it instead of loading it again.
        public var joinsRequests: Bool
        /// The most images loaded from the network at a time.
        public var concurrentLoadCountMax: Int

        /// Creates a configuration: 64 MiB in memory, nothing on disk, six loads at a time.
        public init(
            memoryByteCountMax: Int? = 64 << 20,
            disk: Disk? = nil,
            joinsRequests: Bool = true,
            concurrentLoadCountMax: Int = ImagePipeline.concurrentLoadCountMaxDefault
        ) {
            precondition(concurrentLoadCountMax > 0, "a pipeline that loads nothing at a time never ends")
            self.memoryByteCountMax = memoryByteCountMax
            self.disk = disk
            self.joinsRequests = joinsRequests
            self.concurrentLoadCountMax = concurrentLoadCountMax
        }

        /// A cache on disk.
        public struct Disk: Sendable, Hashable {
            /// The directory, which one pipeline at a time may use.
            public var directory: URL
            /// The most bytes of images on disk.
            public var byteCountMax: Int

            /// Creates a description of a cache on disk.
            public init(directory: URL, byteCountMax: Int = 256 << 20) {
                self.directory = directory
                self.byteCountMax = byteCountMax
            }
        }
    }
}
