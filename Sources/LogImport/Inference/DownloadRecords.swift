// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The downloads of feed images of a log, kept in 24 bytes each.
struct DownloadRecords: RequestSink, Sendable {
    /// One download.
    struct Record: Sendable {
        let time: Int64
        let client: Int32
        let image: Int32
    }

    /// An image, by the number of its post and its place there.
    struct Image: Sendable, Hashable {
        let post: Int32
        let index: Int32
    }

    private(set) var records: [Record] = []
    private(set) var images: [Image] = []
    /// The bytes of each image, as far as they were seen; 0 where they were not.
    private(set) var byteCounts: [Int64] = []
    /// The posts' names, `owner/feed`.
    private(set) var posts: [String] = []
    private(set) var clientCount: Int32 = 0
    /// The downloads that were read, and their bytes.
    private(set) var downloadCount: Int64 = 0
    private(set) var byteCount: Int64 = 0
    /// Requests that were not downloads of feed images.
    private(set) var otherCount: Int64 = 0
    private(set) var duplicateCount: Int64 = 0
    private var recent = RecentRequests()
    private var numbersByImage: [Image: Int32] = [:]
    private var numbersByPost: [String: Int32] = [:]
    private var numbersByClient: [UInt64: Int32] = [:]

    mutating func take(_ request: borrowing LoggedRequest) {
        if let hash = request.requestHash, !recent.insert([hash])[0] {
            duplicateCount += 1
            return
        }
        let (status, operation) = (request.status, request.operation)
        let isAnswered = status == 0 || (200..<300).contains(status) || status == 304
        guard operation == .download, isAnswered, let path = Self.path(of: request.objectName, in: request.bucketName)
        else {
            otherCount += 1
            return
        }
        let image = self.image(path)
        // Parts of an image come with 206; the largest answer is taken for the whole.
        byteCounts[Int(image)] = max(byteCounts[Int(image)], request.byteCount ?? 0)
        records.append(Record(time: request.time, client: client(request.clientHash), image: image))
        guard !request.isFromCache else { return }
        downloadCount += 1
        byteCount += request.byteCount ?? 0
    }

    /// The image that an object is, of which resized copies are others.
    ///
    /// A server's own images have no bucket: what was taken for one is the first part of the name.
    private static func path(of object: String, in bucket: String) -> FeedImagePath? {
        for name in [object, "\(bucket)/\(object)"] {
            guard let path = FeedImagePath(objectName: name) else { continue }
            return ImageVariant(objectName: name) == .resized ? nil : path
        }
        return nil
    }

    private mutating func client(_ hash: UInt64) -> Int32 {
        if let number = numbersByClient[hash] { return number }
        defer { clientCount += 1 }
        numbersByClient[hash] = clientCount
        return clientCount
    }

    private mutating func image(_ path: FeedImagePath) -> Int32 {
        let image = Image(post: post("\(path.owner)/\(path.feed)"), index: Int32(clamping: path.index))
        if let number = numbersByImage[image] { return number }
        let number = Int32(images.count)
        numbersByImage[image] = number
        images.append(image)
        byteCounts.append(0)
        return number
    }

    private mutating func post(_ name: String) -> Int32 {
        if let number = numbersByPost[name] { return number }
        let number = Int32(posts.count)
        numbersByPost[name] = number
        posts.append(name)
        return number
    }
}
