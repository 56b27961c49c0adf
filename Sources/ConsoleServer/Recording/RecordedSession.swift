// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
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
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: copy.log)) else {
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
    func report(_ target: RequestTarget, as form: AuditQuestion.Form) async throws -> Response {
        guard let audit else { throw ConsoleFailure.notFound }
        let strategies = target.query.filter { $0.name == "strategy" }.map(\.value)
        guard strategies.count <= Self.strategyCountMax else { throw ConsoleFailure.tooManyStrategies }
        let question = AuditQuestion(strategies: strategies, network: target["network"], form: form)
        try await WireServer.settleExchanges()
        let text = try await turns.take {
            let copy = try await copy()
            defer { copy.remove() }
            do {
                return try await audit(copy.log, question)
            } catch let refusal as AuditRefusal {
                throw ConsoleFailure(status: 422, message: refusal.message)
            }
        }
        switch form {
        case .json: return .text(text, contentType: "application/json; charset=UTF-8")
        case .html: return .report(text)
        }
    }

    private struct Copy: Sendable {
        let directory: String
        let log: String

        func remove() { try? FileManager.default.removeItem(atPath: directory) }
    }

    private func copy() async throws -> Copy {
        try await blockingWork {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
                "firemeter-\(UUID().uuidString)"
            ).path
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            do {
                guard let log = try recordings.copy(into: directory) else { throw ConsoleFailure.nothingRecorded }
                return Copy(directory: directory, log: log)
            } catch {
                try? FileManager.default.removeItem(atPath: directory)
                throw error
            }
        }
    }
}

/// Lets one audit run at a time: each takes all processors.
private actor AuditTurns {
    private var last: Task<Void, Never>?

    func take<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = last
        let task = Task {
            await before?.value
            return try await body()
        }
        last = Task { _ = try? await task.value }
        return try await task.value
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

    fileprivate static let tooManyStrategies = Self(status: 400, message: "At most 20 strategies are compared at once.")
}
