// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import HTTPTypes
package import HummingbirdCore
package import Metering
import NIOCore
package import Wire

/// Firestore behind a port: gRPC over HTTP/2, REST over HTTP/1.1.
package struct FirestoreService: WireService {
    private let rest: FirestoreREST
    package let streamService: (any WireStreamService)?

    package let meteredService = UsageAttribution.Service.firestore
    package let bodyByteCountMax = Int64(CallError.restBodyByteCountMax)

    /// Creates the service of calls.
    package init(calls: FirestoreCalls) {
        rest = FirestoreREST(calls: calls)
        if #available(macOS 15, iOS 18, *) {
            let face = FirestoreGRPC(calls: calls)
            streamService = GRPCStreamService(services: [face], directMethods: face.directMethods)
        } else {
            streamService = nil
        }
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
        Self.response(RESTResponse(error: .restBodyTooLarge, usage: CallUsage(call: "unknown")))
    }

    private static func response(_ answer: RESTResponse) -> Response {
        Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    private func call(_ request: Request, exchange: Exchange) async -> Response {
        do {
            let body = try await request.body.collect(upTo: CallError.restBodyByteCountMax)
            let call = RESTRequest(
                method: request.method.rawValue,
                target: request.head.path ?? "/",
                body: Array(body.readableBytesView),
                authorization: request.headers[.authorization]
            )
            let answer = await rest.respond(to: call)
            exchange.attribute(to: answer.attribution, billing: .firestore(answer.billed))
            return Self.response(answer)
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
