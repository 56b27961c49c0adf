// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRPCCore
import NIOHPACK

/// Metadata as header fields: texts as they are, bytes in Base64 under names that end in `-bin`.
enum MetadataCoding {
    private static let binarySuffix = "-bin"

    private static let protocolNames: Set = [
        ":path", ":method", ":scheme", ":authority", "te", "content-type", "grpc-timeout", "grpc-encoding",
        "grpc-accept-encoding",
    ]

    /// All fields of a request but those of HTTP/2 and gRPC.
    static func metadata(in headers: HPACKHeaders) -> Metadata {
        var metadata = Metadata()
        metadata.reserveCapacity(headers.count)
        for (name, value, _) in headers where !protocolNames.contains(name) { add(name, value: value, to: &metadata) }
        return metadata
    }

    /// Adds a field of a request; bytes that are no Base64 are kept as text, for the handler to judge.
    private static func add(_ name: String, value: String, to metadata: inout Metadata) {
        guard name.hasSuffix(binarySuffix) else { return metadata.addString(value, forKey: name) }
        // Fields of one name may have been joined by commas, which no Base64 holds.
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            if let bytes = decode(part) {
                metadata.addBinary(bytes, forKey: name)
            } else {
                metadata.addString(String(part), forKey: name)
            }
        }
    }

    /// Base64 with or without padding.
    static func decode(_ text: Substring) -> [UInt8]? {
        let bare = text.drop { $0 == " " }
        let isPadded = bare.utf8.last == UInt8(ascii: "=")
        let padding = isPadded ? "" : String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        return Data(base64Encoded: bare + padding).map(Array.init)
    }

    /// Adds the metadata of a response to its header fields; names that belong to gRPC or HTTP are left out.
    static func add(_ metadata: Metadata, to headers: inout HPACKHeaders) {
        for (key, value) in metadata {
            let name = key.lowercased()
            guard !isReserved(name) else { continue }
            switch value {
            case .string(let text): headers.add(name: name, value: text)
            case .binary: headers.add(name: name, value: unpadded(value.encoded()))
            }
        }
    }

    private static func unpadded(_ text: String) -> String {
        guard let end = text.lastIndex(where: { $0 != "=" }) else { return "" }
        return String(text[...end])
    }

    private static func isReserved(_ name: String) -> Bool {
        if name.hasPrefix("grpc-") { return !name.hasSuffix(binarySuffix) && name != "grpc-retry-pushback-ms" }
        return name.hasPrefix(":") || ["content-type", "connection", "te", "transfer-encoding"].contains(name)
    }
}
