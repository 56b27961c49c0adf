// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import JSON
import SeededRandom

/// Where a script is played: the server's pictures, and what they are at the moment.
struct Stage {
    let storage: URL
    let bucket: String
    let transport: any HTTPTransport
    private(set) var pictures: [Picture]
    /// The picture to see; `nil` for pictures that were there before.
    private(set) var contents: [Int: Data] = [:]
    private var replacements = 0

    init(storage: URL, bucket: String, transport: any HTTPTransport, pictures: [Picture]) {
        self.storage = storage
        self.bucket = bucket
        self.transport = transport
        self.pictures = pictures
    }

    /// Uploads pictures of these sizes, whose names begin with `owner`, so that each run has pictures of its own.
    init(
        storage: URL,
        bucket: String,
        transport: any HTTPTransport,
        owner: String,
        byteCounts: [Int]
    ) async throws {
        self.init(storage: storage, bucket: bucket, transport: transport, pictures: [])
        for (number, byteCount) in byteCounts.enumerated() {
            pictures.append(Picture(owner: owner, feed: "p\(number)", index: number % 2, byteCount: byteCount))
            try await replace(number)
        }
    }

    /// Puts another picture in the place of one; returns its bytes.
    @discardableResult
    mutating func replace(_ number: Int) async throws -> Data {
        replacements += 1
        var generator = SplitMix64(seed: UInt64(number * 1_000 + replacements))
        let data = Data((0..<pictures[number].byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        let picture = pictures[number]
        let reference = try await ImageUploader(storage: storage, transport: transport, pipeline: nil).upload(
            data,
            contentType: "image/jpeg",
            bucket: bucket,
            owner: picture.owner,
            feed: picture.feed,
            index: picture.index
        )
        pictures[number].generation = reference.generation
        pictures[number].token = reference.token
        contents[number] = data
        return data
    }

    /// Revokes a picture's token and makes another.
    mutating func changeToken(_ number: Int) async throws {
        let old = pictures[number].token ?? ""
        _ = try await change(number, "create_token=true")
        let tokens = try await change(number, "delete_token=\(old)")
        pictures[number].token = tokens.split(separator: ",").first.map(String.init)
    }

    private func change(_ number: Int, _ query: String) async throws -> String {
        let name = pictures[number].objectName.replacingOccurrences(of: "/", with: "%2F")
        let text = "\(storage.absoluteString)/v0/b/\(bucket)/o/\(name)?\(query)"
        // As the SDK of the owner, who is signed in.
        let request = TransportRequest(
            method: "POST",
            url: URL(string: text) ?? storage,
            headers: ["Authorization": "Bearer owner"]
        )
        let answer = try JSONValue(parsing: Array(await transport.send(request).body.collected()))
        return answer["downloadTokens"]?.string ?? ""
    }
}
