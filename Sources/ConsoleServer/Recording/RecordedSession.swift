// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import ServiceLifecycle
import Wire

/// The calls about the session that is recorded while the emulator serves: its state, its log, and what it would have cost.
struct RecordedSession: Sendable {
    private static let pieceByteCount = 1 << 18
    private static let strategyCountMax = 20

    let recordings: any SessionRecordings
    /// Audits the session; `nil` where the program cannot.
    let audit: SessionAuditing?
    private let turns = AuditTurns()

    init(_ recordings: any SessionRecordings, audit: SessionAuditing?) {
        (self.recordings, self.audit) = (recordings, audit)
    }

    func status() async throws -> Response {
        try await WireServer.settleExchanges()
        let status = try await blockingWork { recordings.status }
        return .json(.object([("recording", status.map(\.json) ?? .null)]), isIndented: false)
    }

    /// Begins, ends or begins again.
    func change(_ action: Substring) async throws -> Response {
        do {
            try await blockingWork {
                switch action {
                case "start": try recordings.start()
                case "stop": try recordings.stop()
                case "restart": try recordings.restart()
                default: throw ConsoleFailure.notFound
                }
            }
        } catch is RecordingRefusal {
            throw ConsoleFailure.recordedToFile
        }
        return try await status()
    }

    /// The log, as it is at this moment.
    func log() async throws -> Response {
        try await WireServer.settleExchanges()
        let copy = try await copy()
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: copy.path)) else {
            throw ConsoleFailure.nothingRecorded
        }
        // Its name is no longer needed once it is open.
        copy.remove()
        let fields: HTTPFields = [
            .contentType: "application/x-ndjson", .contentDisposition: "attachment; filename=\"session.log\"",
            .xContentTypeOptions: "nosniff",
        ]
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody { writer in
                defer { try? file.close() }
                while let piece = try await blockingWork({ try file.read(upToCount: Self.pieceByteCount) }),
                    !piece.isEmpty
                {
                    try await writer.write(ByteBuffer(bytes: piece))
                }
                try await writer.finish(nil)
            }
        )
    }

    /// The report on the session so far.
    func report(
        _ target: RequestTarget,
        as form: AuditQuestion.Form,
        in exchange: Exchange
    ) async throws -> Response {
        guard let audit else { throw ConsoleFailure.notFound }
        let strategies = target.query.filter { $0.name == "strategy" }.map(\.value)
        guard strategies.count <= Self.strategyCountMax else { throw ConsoleFailure.tooManyStrategies }
        let question = AuditQuestion(strategies: strategies, network: target["network"], form: form)
        try await WireServer.settleExchanges()
        let text = try await turns.take(in: exchange) {
            let copy = try await copy()
            defer { copy.remove() }
            do {
                return try await audit(copy.path, question)
            } catch let refusal as AuditRefusal {
                throw ConsoleFailure(status: 422, message: refusal.message)
            }
        }
        switch form {
        case .json: return .text(text, contentType: "application/json; charset=UTF-8")
        case .html: return .report(text)
        }
    }

    private func copy() async throws -> SessionCopy {
        let copy = try await blockingWork { try recordings.copy() }
        guard let copy else { throw ConsoleFailure.nothingRecorded }
        return copy
    }
}

/// Lets one audit run at a time: each takes all processors.
private actor AuditTurns {
    /// Those that wait at most.
    private static let waitingCountMax = 4

    private var last: Task<Void, Never>?
    private var count = 0

    /// Runs an audit when those before have ended; a client that goes, and the end of the emulator, cancel it.
    func take<Value: Sendable>(
        in exchange: Exchange,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard count <= Self.waitingCountMax else { throw ConsoleFailure.tooManyAudits }
        count += 1
        defer { count -= 1 }
        let before = last
        let task = Task {
            await before?.value
            try Task.checkCancellation()
            return try await body()
        }
        last = Task { _ = try? await task.value }
        exchange.whenGone { task.cancel() }
        return try await cancelWhenGracefulShutdown {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}

extension Response {
    /// A report is a page of its own, with its styles in it, and without scripts.
    fileprivate static func report(_ html: String) -> Response {
        var response = Response.text(html, contentType: "text/html; charset=utf-8")
        response.headers[.contentSecurityPolicy] =
            "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}

extension ConsoleFailure {
    fileprivate static let nothingRecorded = Self(
        status: 409,
        message:
            "Nothing is recorded: begin with POST /console/recording/start, or start the emulator with --record FILE."
    )

    fileprivate static let recordedToFile = Self(
        status: 409,
        message: "The session is recorded to the file of --record, from the start of the emulator to its end."
    )

    fileprivate static let tooManyAudits = Self(
        status: 429,
        message: "Too many reports are being made; ask again when they are there."
    )

    fileprivate static let tooManyStrategies = Self(status: 400, message: "At most 20 strategies are compared at once.")
}
