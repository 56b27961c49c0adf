// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import HTTPTypes
import HummingbirdCore
package import Metering
import NIOCore
import StorageServer
import Wire

/// The services of an emulator, asked without a socket: what they answer and bill is the same, and nothing is recorded.
package struct DirectServers: Sendable {
    /// An answer.
    package struct Answer: Sendable, Hashable {
        /// The status.
        package let status: Int
        /// The header fields, their names in lower case.
        package let headers: [String: String]
        /// The body.
        package let body: [UInt8]
        /// The bill when all of it is sent.
        package let billed: BilledUsage
    }

    let firestore: FirestoreService
    let storage: StorageServer

    /// Asks a service; `target` is the path with its query, percent-encoded.
    package func answer(
        _ service: UsageAttribution.Service,
        method: String,
        target: String,
        headers: [String: String] = [:],
        body: [UInt8] = []
    ) async throws -> Answer {
        guard let method = HTTPRequest.Method(method) else { preconditionFailure("\(method) is no method") }
        var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: target)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let exchange = Exchange(
            attribution: UsageAttribution(service: service, operation: "direct"),
            caller: Caller(authorization: head.headerFields[.authorization])
        )
        let response = await respond(service, to: request, in: exchange)
        let collector = BodyCollector()
        try await response.body.write(collector)
        let bytes = Array(collector.bytes.readableBytesView)
        return Answer(
            status: response.status.code,
            headers: Dictionary(
                response.headers.map { ($0.name.canonicalName, $0.value) },
                uniquingKeysWith: { $0 + ", " + $1 }
            ),
            body: bytes,
            billed: exchange.billed(status: response.status.code, sentBodyBytes: Int64(bytes.count))
        )
    }

    private func respond(
        _ service: UsageAttribution.Service,
        to request: Request,
        in exchange: Exchange
    ) async -> Response {
        switch service {
        case .firestore: await firestore.respond(to: request, exchange: exchange)
        case .auth: preconditionFailure("Authentication is asked by its port")
        case .storage: await storage.respond(to: request, exchange: exchange)
        }
    }
}
