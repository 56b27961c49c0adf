// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import ObjectStore
import Wire

extension ObjectMetadata {
    /// The object as the JSON API describes it, with links that lead back through the address the client used.
    func resource(origin: String) -> JSONText {
        let place = "b/\(PercentCoding.encode(bucket.description))/o/\(PercentCoding.encode(name.description))"
        let media = "\(origin)/download/storage/v1/\(place)?generation=\(generation)&alt=media"
        let identity: [(String, JSONText?)] = [
            ("kind", "storage#object"),
            ("id", .string("\(path)/\(generation)")),
            ("selfLink", .string("\(origin)/storage/v1/\(place)")),
            ("mediaLink", .string(media)),
        ]
        let own: [(String, JSONText?)] = [
            ("contentEncoding", attributes.contentEncoding.map(JSONText.string)),
            ("timeStorageClassUpdated", .time(microseconds: timeCreated)),
            ("timeFinalized", .time(microseconds: timeCreated)),
            ("metadata", .texts(allCustomMetadata)),
        ]
        return .object(compacting: identity + commonMembers + own)
    }

    /// The custom metadata, among which the JSON API has the download tokens.
    private var allCustomMetadata: [String: String] {
        var custom = attributes.customMetadata
        if !attributes.downloadTokens.isEmpty {
            custom[UploadMetadata.tokenKey] = attributes.downloadTokens.joined(separator: ",")
        }
        return custom
    }
}
