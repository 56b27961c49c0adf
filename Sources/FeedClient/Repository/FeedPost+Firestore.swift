// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

extension FeedPost: DocumentItem {
    /// Reads a post from its document.
    public init(_ document: FeedDocument) throws(FeedError) {
        let fields = FirestoreFields(of: document)
        self.init(
            id: document.id,
            ownerID: try fields.pathSegment("userID"),
            feedID: try fields.pathSegment("feedID"),
            title: try fields.string("title"),
            likes: try fields.count("likes"),
            createdAt: try fields.date("createdAt"),
            images: try fields.images()
        )
    }
}

extension FirestoreFields {
    fileprivate func date(_ field: String) throws(FeedError) -> Date {
        Date(timeIntervalSince1970: Double(try timestamp(field).microseconds) / 1_000_000)
    }

    /// A string that can stand between two slashes of an object's name.
    fileprivate func pathSegment(_ field: String) throws(FeedError) -> String {
        let segment = try string(field)
        guard !segment.isEmpty, !segment.utf8.contains(UInt8(ascii: "/")) else {
            throw problem(field, problem: "expected text that is not empty and has no slash")
        }
        return segment
    }

    fileprivate func images() throws(FeedError) -> [FeedImage] {
        let maps = try maps("images")
        guard try integer("imageCount") == Int64(maps.count) else {
            throw problem("imageCount", problem: "expected \(maps.count), the number of entries in images")
        }
        var images: [FeedImage] = []
        for (index, map) in maps.enumerated() { images.append(try map.image(index: index)) }
        return images
    }

    private func image(index: Int) throws(FeedError) -> FeedImage {
        FeedImage(
            index: index,
            pixelWidth: try count("width"),
            pixelHeight: try count("height"),
            byteCount: try optionalCount("bytes"),
            generation: try optionalInteger("generation"),
            token: try optionalString("token")
        )
    }
}
