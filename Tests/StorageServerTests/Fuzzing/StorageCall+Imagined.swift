// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import Wire

@testable import StorageServer

extension StorageCall {
    /// A call without a client; `nil` for a target with a broken escape.
    static func imagined(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: [(name: String, value: String)] = []
    ) -> StorageCall? {
        guard let target = RequestTarget(path) else { return nil }
        var head = HTTPRequest(method: method, scheme: "http", authority: "localhost:9199", path: path)
        for field in fields { head.headerFields.set(field.name, to: field.value) }
        return StorageCall(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            target: target,
            exchange: Exchange(attribution: UsageAttribution(service: .storage, operation: "test"))
        )
    }
}

extension HTTPRequest.Method {
    /// The methods that the APIs know.
    static let known: [Self] = [.get, .head, .put, .post, .patch, .delete]
}

extension RequestTarget {
    /// Takes the target to each of the APIs, as a request of any method.
    func route() {
        for method in HTTPRequest.Method.known {
            _ = try? FirebaseRoute(method: method, target: self)
            _ = try? JSONRoute(method: method, target: self)
            _ = try? XMLRoute(method: method, target: self)
        }
    }
}
