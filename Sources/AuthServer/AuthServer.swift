// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import HTTPTypes
package import HummingbirdCore
package import JSON
package import Metering
import NIOCore
package import Wire

/// Firebase Authentication: Identity Toolkit v1, v2 and v3, Secure Token, the emulator's own interface, and its pages.
///
///     Wire ──▶ AuthServer ──▶ route ──▶ credentials ──▶ body, scope ──▶ AuthOperations ──▶ AccountStore
///                    └──────▶ pages: action links, handler, frame
package struct AuthServer: WireService {
    let context: AuthContext
    private let faults: PlannedFaults

    package let meteredService = UsageAttribution.Service.auth
    /// An import of 10,000 users has about 10 MB.
    package let bodyByteCountMax: Int64 = 64 << 20

    /// Creates a server.
    ///
    /// `faults` are the calls that are to fail.
    package init(_ context: AuthContext, faults: PlannedFaults = PlannedFaults()) {
        (self.context, self.faults) = (context, faults)
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        var response: Response
        if request.method == .options {
            exchange.attribute(to: UsageAttribution(service: .auth, operation: "auth.preflight"), billing: .free)
            response = .preflight(for: request)
        } else {
            do {
                response = try await answer(request, exchange)
            } catch {
                response = refusal(of: request, Self.failure(error))
            }
        }
        response.headers.allowCrossOrigin(for: request)
        return response
    }

    private func refusal(of request: Request, _ failure: AuthFailure) -> Response {
        guard context.profile.isProduction else { return failure.response }
        if failure == .notFound { return AuthFailure.unknownPage }
        let path = request.head.path?.prefix { $0 != "?" } ?? ""
        return path.hasPrefix("/securetoken.") || path.contains("/v2/") ? failure.briefResponse : failure.response
    }

    package func refuseBody(exchange: Exchange) -> Response {
        AuthFailure.bodyTooLarge(limit: bodyByteCountMax).response
    }

    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        AuthFailure(status: refusal.status, message: refusal.message).json
    }

    private func answer(_ request: Request, _ exchange: Exchange) async throws -> Response {
        guard let target = RequestTarget(request.head.path ?? "/") else { throw AuthFailure.notFound }
        if request.method == .get || request.method == .head,
            let page = try await onBlockingThreads({ try page(at: target, request) })
        {
            exchange.attribute(to: UsageAttribution(service: .auth, operation: "auth.page"), billing: .free)
            return page
        }
        guard let route = AuthRoute(request.method, path: target.path) else { throw AuthFailure.notFound }
        var attribution = UsageAttribution(service: .auth, operation: route.method.operation)
        exchange.attribute(to: attribution, billing: .free)
        // The emulator's own methods need none, and do not fail.
        if route.method.needsCredentials, let status = faults.status(of: attribution.operation, service: .auth) {
            throw AuthFailure.planned(status)
        }
        let credentials = try AuthCredentials(request.head, target)
        if route.method.needsCredentials, case .none = credentials {
            throw context.profile.isProduction ? AuthFailure.unregisteredCaller : .missingKey
        }
        var isPrivileged = false
        if case .administrator = credentials { isPrivileged = true }
        let body = try await body(of: request)
        if let token = try body.filled("idToken").flatMap(JSONWebToken.init) {
            attribution.user = token.payload["user_id"]?.string
            exchange.attribute(to: attribution, billing: .free)
        }
        let scope = try AuthCall.scope(of: route, body, target, isPrivileged: isPrivileged, in: context)
        let call = AuthCall(
            route: route,
            body: body,
            target: target,
            isPrivileged: isPrivileged,
            scope: scope,
            origin: origin(of: request)
        )
        let operations = AuthOperations(context, call)
        if let answer = try operations.lookupFromMemory() { return .json(answer) }
        let answer = try await onBlockingThreads { try await operations.answer() }
        attribution.user = attribution.user ?? call.outcome.user
        exchange.attribute(to: attribution, billing: .auth(call.outcome.billed))
        return .json(answer)
    }

    /// Reads a body of JSON or, as OAuth clients send it, of a form.
    private func body(of request: Request) async throws -> AuthBody {
        guard request.method == .post || request.method == .patch else { return .empty }
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        let bytes: ByteBuffer
        do {
            bytes = try await request.wholeBody(upTo: Int(bodyByteCountMax), in: memory)
        } catch {
            throw switch error {
            case .tooLarge: AuthFailure.bodyTooLarge(limit: bodyByteCountMax)
            case .broken: AuthFailure.bad("The body is cut off or not chunked as HTTP/1.1 says; send all of it.")
            case .memoryExceeded(let exceeded): AuthFailure(status: 429, message: exceeded.message)
            }
        }
        // curl says form for whatever it is given.
        let isForm = request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
        guard isForm, bytes.readableBytesView.first != UInt8(ascii: "{") else {
            return try AuthBody(json: Array(bytes.readableBytesView))
        }
        guard let form = RequestTarget("?" + String(buffer: bytes)) else {
            throw AuthFailure.payload("The form holds a broken percent escape.", reason: "parseError")
        }
        return AuthBody(Dictionary(form.query.map { ($0.name, JSONValue.string($0.value)) }) { first, _ in first })
    }

    /// The server as the caller names it, for links that lead back here.
    func origin(of request: Request) -> String {
        "http://\(request.head.authority ?? "127.0.0.1:9099")"
    }

    static func failure(_ error: any Error) -> AuthFailure {
        switch error {
        case let failure as AuthFailure: failure
        case let error as AccountStoreError: .unavailable(error.description)
        default: .internalError("\(error)")
        }
    }
}
