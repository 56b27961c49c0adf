// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

/// A fault that waits to happen.
struct Trigger: Sendable {
    let effect: Fault.Effect
    /// Takes the fault; returns false when another call has met it meanwhile.
    let take: @Sendable () -> Bool
}

extension FaultInjector {
    /// Lets a planned fault happen where it belongs.
    func pull(
        _ trigger: Trigger,
        for call: StorageCall,
        _ respond: Respond
    ) async throws -> Response {
        switch trigger.effect {
        case .status(let status):
            guard trigger.take() else { break }
            throw StorageFailure.injected(status)
        case .reset:
            guard trigger.take() else { break }
            call.exchange.resetConnection()
            return Response(status: .internalServerError)
        case .brokenUpload where call.operation.faultMethod == StorageOperation.upload,
            .stall where call.operation.faultMethod == StorageOperation.upload:
            return try await respond(faulting(call, trigger: trigger))
        case .brokenAnswer(let count)
        where count == Fault.brokenAnswerByteCount || call.operation.faultMethod == StorageOperation.download:
            return faulting(try await respond(call), trigger: trigger)
        case .stall:
            return faulting(try await respond(call), trigger: trigger)
        case .shortAnswer(let byteCount)
        where call.operation.faultMethod == StorageOperation.upload && call.target["upload_id"] != nil:
            var response = try await respond(call)
            if response.endsUpload, trigger.take() { response.shorten(to: byteCount) }
            return response
        // Elsewhere they cannot happen, and wait for a call where they can.
        case .brokenAnswer, .brokenUpload, .shortAnswer, .unreachableBuckets, .corruptedAnswer, .grpcOnly: break
        }
        return try await respond(call)
    }

    /// Does what the one-time header asks for.
    func follow(
        _ instruction: String,
        for call: StorageCall,
        _ respond: Respond
    ) async throws -> Response {
        if call.operation.faultMethod == StorageOperation.upload {
            guard let effect = Fault.Effect.ofUpload(instruction: instruction) else { return try await respond(call) }
            return try await respond(faulting(call, trigger: Trigger(effect: effect) { true }))
        }
        var response = try await respond(call)
        guard let start = response.downloadStart else { return response }
        switch Fault.Effect.ofDownload(instruction: instruction, start: start) {
        case nil: break
        case .status(let status): throw StorageFailure.injected(status)
        case .corruptedAnswer: response.corrupt()
        case let effect?: response = faulting(response, trigger: Trigger(effect: effect) { true })
        }
        return response
    }

    /// An upload whose bytes a fault strikes; those of a resumable upload count from the beginning of the object.
    private func faulting(_ call: StorageCall, trigger: Trigger) -> StorageCall {
        let upload = UploadRequest(call)
        guard let start = upload.start, let faultPoint = uploadFaultPoint(trigger, on: upload, from: start) else {
            return call
        }
        var call = call
        let body = FaultingRequestBody(base: call.request.body, start: start, faultPoint: faultPoint)
        call.request.body = RequestBody(asyncSequence: body)
        return call
    }

    private func uploadFaultPoint(_ trigger: Trigger, on upload: UploadRequest, from start: Int64) -> FaultPoint? {
        switch trigger.effect {
        case .brokenUpload(let status, let count):
            FaultPoint(position: count, includesEnd: true) {
                if trigger.take() { throw InjectedFault(status: status) }
            }
        // A chunk that begins behind the place has passed it.
        case .stall(let duration, let count) where start <= count:
            FaultPoint(position: count, includesEnd: upload == .whole) { [pause] in
                if trigger.take() { try await pause(duration) }
            }
        case .stall, .status, .reset, .brokenAnswer, .shortAnswer, .unreachableBuckets, .corruptedAnswer, .grpcOnly: nil
        }
    }

    /// An answer whose bytes a fault strikes.
    private func faulting(_ response: Response, trigger: Trigger) -> Response {
        guard response.status.code < 400 else { return response }
        var response = response
        switch trigger.effect {
        case .brokenAnswer(let count):
            response.faultPoint(
                FaultPoint(position: count, includesEnd: true) { if trigger.take() { throw AnswerBreak() } }
            )
        case .stall(let duration, let count):
            response.faultPoint(
                FaultPoint(position: count, includesEnd: false) { [pause] in
                    if trigger.take() { try await pause(duration) }
                }
            )
        case .status, .reset, .brokenUpload, .shortAnswer, .unreachableBuckets, .corruptedAnswer, .grpcOnly: break
        }
        return response
    }
}

extension Response {
    /// Whether it says that a resumable upload is complete.
    fileprivate var endsUpload: Bool {
        status == .ok && self["X-HTTP-Status-Code-Override"] == nil
            && self["X-Goog-Upload-Status"] ?? "final" == "final"
    }

    private subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }
}

/// The error of reading a request's body where a client asked that its upload fail.
struct InjectedFault: Error {
    /// The answer that the client asked for.
    let failure: StorageFailure

    init(status: Int) {
        failure = StorageFailure(
            status: status,
            message: "Fault injected during an upload",
            reason: StorageFailure.reason(ofInjected: status)
        )
    }
}

extension StorageFailure {
    /// The failure that a planned `return-N` stands for.
    static func injected(_ status: Int) -> Self {
        Self(status: status, message: "Retry Test: Caused a \(status)", reason: reason(ofInjected: status))
    }

    /// The failure of a call that met a planned fault.
    static func planned(_ status: Int) -> Self {
        Self(status: status, message: "A planned fault: \(status).", reason: reason(ofInjected: status))
    }

    /// The reason that production gives with a status; clients decide by it whether to try again.
    fileprivate static func reason(ofInjected status: Int) -> String {
        switch status {
        case 401: "authError"
        case 403: "forbidden"
        case 404: "notFound"
        case 408: "requestTimeout"
        case 412: "conditionNotMet"
        case 429: "rateLimitExceeded"
        case 500...: "backendError"
        default: "invalid"
        }
    }
}
