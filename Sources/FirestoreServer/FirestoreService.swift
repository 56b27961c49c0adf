// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import HTTPTypes
package import HummingbirdCore
import JSON
package import Metering
import NIOConcurrencyHelpers
import NIOCore
package import Wire

/// Firestore behind a port: gRPC over HTTP/2, REST and WebChannel over HTTP/2 and HTTP/1.1.
package struct FirestoreService: WireService {
    private let rest: FirestoreREST
    private let channels: WebChannelFace
    private let rules: (any RulesEndpoint)?
    private let emulator: EmulatorEndpoint?
    private let clock: any Clock<Duration>
    package let streamService: (any WireStreamService)?

    package let meteredService = UsageAttribution.Service.firestore
    package let bodyByteCountMax = Int64(ChannelLimits.bodyByteCountMax)

    /// Creates the service of calls.
    ///
    /// - Parameters:
    ///   - calls: The calls.
    ///   - rules: Takes new Security Rules; `nil` where there are none to be replaced.
    ///   - emulator: Registers functions, imports and exports; `nil` where none of this is offered.
    ///   - clock: Says when a page has been quiet for too long.
    package init(
        calls: FirestoreCalls,
        rules: (any RulesEndpoint)? = nil,
        emulator: EmulatorEndpoint? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.rules, self.emulator) = (rules, emulator)
        rest = FirestoreREST(calls: calls)
        channels = WebChannelFace(calls: calls, sessions: ChannelSessions(calls: calls))
        self.clock = clock
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
        } else if let call = ChannelCall(path: request.uri.path[...]) {
            response = await channels.respond(to: request, of: call, exchange: exchange)
        } else {
            response = await call(request, exchange: exchange)
        }
        response.headers.allowCrossOrigin(for: request)
        return response
    }

    package func run() async throws { await channels.sessions.run(clock: clock) }

    package func refuseBody(exchange: Exchange) -> Response {
        Self.response(RESTResponse(error: .restBodyTooLarge, usage: CallUsage(call: "unknown")), in: exchange)
    }

    private static func response(_ answer: RESTResponse, in exchange: Exchange) -> Response {
        let beginning = ByteBuffer(bytes: answer.body)
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: answer.contentType],
            body: answer.rest.map { body(beginning, rest: $0, in: exchange) } ?? ResponseBody(byteBuffer: beginning)
        )
    }

    /// A body whose rest is made as the client takes it: the writer waits while the connection is full.
    ///
    /// Keeps no piece that was written.
    private static func body(_ beginning: ByteBuffer, rest: RESTAnswerRest, in exchange: Exchange) -> ResponseBody {
        let beginning = NIOLockedValueBox<ByteBuffer?>(beginning)
        return ResponseBody { writer in
            if let bytes = beginning.withLockedValue({ $0.take() }) { try await writer.write(bytes) }
            var unrecordedByteCount = 0
            while let bytes = await onBlockingThreads({ next(rest, in: exchange) }) {
                unrecordedByteCount += bytes.readableBytes
                try await writer.write(bytes)
                guard unrecordedByteCount >= recordedByteCount else { continue }
                exchange.flush()
                unrecordedByteCount = 0
            }
            try await writer.finish(nil)
        }
    }

    /// Bytes of a streamed answer after which the usage shows them, though the answer continues; our own choice.
    private static let recordedByteCount = 1 << 20

    private static func next(_ rest: RESTAnswerRest, in exchange: Exchange) -> ByteBuffer? {
        guard let piece = rest.next() else { return nil }
        exchange.bill(piece.billed)
        return ByteBuffer(bytes: piece.bytes)
    }

    private func rulesAnswer(to request: Request, body: ByteBuffer) -> Response? {
        let path = request.uri.path
        // The bodies of all other calls need no copy.
        guard let rules, path.hasPrefix(EmulatorRequest.pathPrefix),
            let answer = rules.answer(
                method: request.method.rawValue,
                path: path,
                body: Array(body.readableBytesView)
            )
        else { return nil }
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: answer.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    private func emulatorAnswer(to request: Request, body: ByteBuffer) async -> Response? {
        guard let emulator, request.head.path?.hasPrefix(EmulatorRequest.pathPrefix) == true,
            let answer = await emulator(EmulatorRequest(head: request.head, body: Array(body.readableBytesView)))
        else { return nil }
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    private func call(_ request: Request, exchange: Exchange) async -> Response {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        do throws(RequestBodyError) {
            let body = try await request.wholeBody(upTo: CallError.restBodyByteCountMax, in: memory)
            if let answer = rulesAnswer(to: request, body: body) { return answer }
            if let answer = await emulatorAnswer(to: request, body: body) { return answer }
            let call = RESTRequest(
                method: request.method.rawValue,
                target: request.head.path ?? "/",
                body: Array(body.readableBytesView),
                caller: exchange.caller,
                fieldMask: HTTPField.Name("X-Goog-FieldMask").flatMap { request.headers[$0] }
            )
            let answer = await onBlockingThreads { await rest.respond(to: call) }
            if let reads = answer.reads { exchange.describe(by: reads) }
            if let rule = answer.rule { exchange.note(rule: rule) }
            exchange.attribute(to: answer.attribution, billing: .firestore(answer.billed))
            return Self.response(answer, in: exchange)
        } catch {
            return Self.response(RESTResponse(error: CallError(error), usage: CallUsage(call: "unknown")), in: exchange)
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
