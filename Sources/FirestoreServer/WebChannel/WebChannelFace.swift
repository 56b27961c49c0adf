// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import Wire

/// The face for pages: the calls that last, `Listen` and `Write`, over requests as browsers make them (WebChannel, version 8).
///
///     POST                       opens a session, with header fields and first messages in its body
///     POST ?SID=…                more messages
///     GET  ?SID=…&RID=rpc        the back channel: what the call answers
///     POST ?SID=…&TYPE=terminate the end
///
/// As the client of google/closure-library speaks it (`closure/goog/labs/net/webchannel`, 2026-11).
struct WebChannelFace: Sendable {
    let calls: FirestoreCalls
    let sessions: ChannelSessions

    /// Answers a request to a channel.
    func respond(to request: Request, of call: ChannelCall, exchange: Exchange) async -> Response {
        exchange.attribute(to: CallUsage(call: call.operation).attribution, billing: .free)
        do throws(ChannelRefusal) {
            guard let target = RequestTarget(request.head.path ?? "/") else { throw .malformed }
            if let version = target["VER"], version != "8" { throw .malformed }
            guard let id = target["SID"], id != "null" else {
                return try await open(call, target: target, request: request, exchange: exchange)
            }
            guard let session = sessions[id] else { throw .unknownSession }
            if target["TYPE"] == "terminate" {
                sessions.close(session)
                return .channel(ByteBuffer())
            }
            if request.method == .get {
                return try receive(target, of: session, exchange: exchange)
            }
            return try await send(target, to: session, request: request, exchange: exchange)
        } catch {
            return error.response
        }
    }

    // MARK: The page's requests

    private func open(
        _ call: ChannelCall,
        target: RequestTarget,
        request: Request,
        exchange: Exchange
    ) async throws(ChannelRefusal) -> Response {
        let body: ChannelBody
        if request.method == .get {
            guard let form = target["$req"] else { throw .malformed }
            body = try ChannelRefusal.wrapping { () throws(CallError) in try ChannelBody(form.utf8) }
        } else {
            body = try await self.body(of: request)
        }
        let caller = body.headers["authorization"].map { Caller(authorization: $0) } ?? exchange.caller
        let context = calls.context(CallUsage(call: call.operation), caller: caller)
        context.attribute { $0.client = body.headers["x-goog-api-client"] }
        let session = try ChannelRefusal.wrapping { () throws(CallError) in try sessions.open(call, in: context) }
        exchange.attribute(to: context.usage.attribution, billing: .free)
        do throws(CallError) {
            try calls.meetPlannedFault(in: context)
            await session.deliver(body.messages, from: exchange)
        } catch {
            // Clients take the status of the channel's own request for a broken network.
            session.end(with: error)
        }
        let opening = #"[[0,["c","\#(session.id)","",8,12,\#(Self.keepAliveMilliseconds)]]]"#
        guard request.method == .get else {
            return .channel(ChannelChunk.alone(opening))
        }
        // The answer that opened the session is in the head, and the body is the first back channel.
        guard let name = HTTPField.Name("X-HTTP-Initial-Response") else { throw .malformed }
        var response = try receive(target, of: session, exchange: exchange)
        response.headers[name] = opening
        return response
    }

    private func send(
        _ target: RequestTarget,
        to session: ChannelSession,
        request: Request,
        exchange: Exchange
    ) async throws(ChannelRefusal) -> Response {
        let body = try await self.body(of: request)
        if let number = try target.number("AID"), !session.acknowledge(through: number) { throw .malformed }
        await session.deliver(body.messages, from: exchange)
        let status = session.status
        return .channel(
            ChannelChunk.alone("[\(status.hasBackChannel ? 1 : 0),\(status.lastNumber),\(status.byteCount)]")
        )
    }

    private func body(of request: Request) async throws(ChannelRefusal) -> ChannelBody {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        do {
            let body = try await request.wholeBody(upTo: ChannelLimits.bodyByteCountMax, in: memory)
            return try ChannelBody(body.readableBytesView)
        } catch let error as CallError {
            throw .call(error)
        } catch let error as RequestBodyError {
            throw .call(CallError(error))
        } catch {
            throw .malformed
        }
    }

    // MARK: The back channel

    private func receive(
        _ target: RequestTarget,
        of session: ChannelSession,
        exchange: Exchange
    ) throws(ChannelRefusal) -> Response {
        let isPoll = target["CI"] == "1"
        let timeout = try target.number("TO").map { max(1, $0 / 1_000) }
        let backChannel = session.attach(
            after: try target.number("AID") ?? 0,
            endsWithChunk: isPoll,
            lookCount: min(timeout ?? ChannelLimits.keepAliveLookCount, ChannelLimits.keepAliveLookCount),
            exchange: exchange
        )
        guard let backChannel else { throw .malformed }
        guard !session.isOver else {
            sessions.close(session)
            throw .unknownSession
        }
        exchange.whenGone { session.detach(backChannel) }
        return .channel(
            ResponseBody { writer in
                session.begin(backChannel)
                await backChannel.ended()
                session.detach(backChannel)
                try await writer.finish(nil)
            }
        )
    }

    private static let keepAliveMilliseconds = ChannelLimits.keepAliveLookCount * 1_000
}

extension RequestTarget {
    /// A number in the query.
    fileprivate func number(_ name: String) throws(ChannelRefusal) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = UInt32(text) else { throw .malformed }
        return Int(number)
    }
}

extension Response {
    /// An answer of a channel, which no proxy is to keep or to hold back.
    fileprivate static func channel(_ body: ResponseBody) -> Response {
        var response = Response(status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: body)
        response.headers[.cacheControl] = "no-cache, no-store, max-age=0, must-revalidate"
        response.headers[.xContentTypeOptions] = "nosniff"
        // As nginx reads it (ngx_http_proxy_module, `proxy_buffering`, 2026-11).
        if let name = HTTPField.Name("X-Accel-Buffering") { response.headers[name] = "no" }
        return response
    }

    fileprivate static func channel(_ body: ByteBuffer) -> Response { channel(ResponseBody(byteBuffer: body)) }
}
