// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import NIOConcurrencyHelpers
import NIOCore

/// A response and its whole body.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(collector)
        status = response.status.code
        headers = response.headers
        bytes = collector.bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of a header field.
    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// The value at a path of keys and indices such as `error.errors.0.reason`, as text.
    func json(_ path: String) throws -> String? {
        var value: Any? = try JSONSerialization.jsonObject(with: Data(bytes))
        for key in path.split(separator: ".").map(String.init) {
            if let list = value as? [Any], let index = Int(key) {
                value = list.indices.contains(index) ? list[index] : nil
            } else {
                value = (value as? [String: Any])?[key]
            }
        }
        return value.map { "\($0)" }
    }

    /// The values under a key of every element of a list.
    func json(each list: String, _ key: String) throws -> [String] {
        let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return (root?[list] as? [[String: Any]] ?? []).compactMap { $0[key] as? String }
    }
}

private final class BodyCollector: ResponseBodyWriter {
    private let collected = NIOLockedValueBox<[UInt8]>([])

    var bytes: [UInt8] { collected.withLockedValue { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLockedValue { $0.append(contentsOf: buffer.readableBytesView) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
