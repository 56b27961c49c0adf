// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import HTTPTypes
package import HummingbirdCore
import JSONWriting
package import Metering
import NIOCore
package import Wire

/// Firestore behind a port: the REST face over HTTP/1.1.
package struct FirestoreService: WireService {
    /// The largest request body, as in production ("Maximum API request size: 10 MiB", quotas page, 2026).
    package static let requestByteCountMax = 10 << 20

    private let rest: FirestoreREST

    package let meteredService = UsageAttribution.Service.firestore
    package let bodyByteCountMax = Int64(Self.requestByteCountMax)

    /// Creates a service over a store.
    package init(store: SQLiteDocumentStore) {
        rest = FirestoreREST(store: store)
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        var response: Response
        if request.method == .options {
            response = Response(status: .ok)
        } else if request.uri.path == "/", request.method == .get {
            response = .text("Ok\n", contentType: "text/plain; charset=utf-8")
        } else {
            response = await call(request, exchange: exchange)
        }
        response.headers.allowCrossOrigin(for: request)
        return response
    }

    package func refuseBody(exchange: Exchange) -> Response {
        .json(
            .object([
                (
                    "error",
                    .object([
                        ("code", 413),
                        (
                            "message",
                            .string("Request payload size exceeds the limit: \(Self.requestByteCountMax) bytes.")
                        ),
                        ("status", "INVALID_ARGUMENT"),
                    ])
                )
            ]),
            status: 413,
            isIndented: false
        )
    }

    private func call(_ request: Request, exchange: Exchange) async -> Response {
        do {
            let body = try await request.body.collect(upTo: Self.requestByteCountMax)
            let call = RESTRequest(
                method: request.method.rawValue,
                target: request.head.path ?? "/",
                body: Array(body.readableBytesView),
                authorization: request.headers[.authorization]
            )
            let answer = try await blockingWork { [rest] in rest.respond(to: call) }
            exchange.attribute(to: answer.attribution, billing: .firestore(answer.billed))
            return Response(
                status: HTTPResponse.Status(code: answer.status),
                headers: [.contentType: "application/json; charset=UTF-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
            )
        } catch is NIOTooManyBytesError {
            return refuseBody(exchange: exchange)
        } catch {
            return .text("Service Unavailable\n", contentType: "text/plain; charset=utf-8", status: 503)
        }
    }
}

extension HTTPFields {
    /// Lets a page of any origin call and read, as the official emulator does.
    fileprivate mutating func allowCrossOrigin(for request: Request) {
        guard let origin = request.headers[.origin] else { return }
        self[.accessControlAllowOrigin] = origin
        self[.accessControlAllowCredentials] = "true"
        self[.accessControlAllowMethods] = "DELETE,GET,HEAD,PATCH,POST,PUT"
        self[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        self[.accessControlExposeHeaders] =
            "x-client-wire-protocol, x-http-session-id, x-http-initial-response"
        self[.vary] = "Origin"
    }
}
