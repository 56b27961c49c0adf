// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import Wire

/// The body of `POST /_admin/export`, as the emulator hub of Firebase takes it: `{path, initiatedBy, targets}`.
///
/// Source: firebase-tools 15.28.1, `src/emulator/hub.ts` and `hubExport.ts`.
package struct ExportRequest: Sendable {
    /// Where the export goes.
    package let path: String
    /// The services whose data are asked for; `nil` for all that there are.
    package let targets: [String]?

    /// Reads the body; throws without an absolute path.
    init(_ body: [UInt8]) throws(ConsoleFailure) {
        guard let json = try? JSONValue(parsing: body), let path = json["path"]?.string, !path.isEmpty else {
            throw .exportWithoutPath
        }
        if let fault = ExportPath.fault(in: path) { throw .badExportPath(fault) }
        self.path = path
        targets = json["targets"]?.array?.compactMap(\.string)
    }
}

/// Where exports are asked for, at the hub and at the console.
package struct ExportEndpoint: Sendable {
    /// Writes an export, and returns the names of the services that are in it; none where none of them can be exported.
    package typealias Exporting = @Sendable (ExportRequest) async throws -> [String]

    static let path: Substring = "/_admin/export"

    let export: Exporting?

    func answer(_ request: Request, bodyByteCountMax: Int64) async -> Response {
        // The hub takes no call from any page, not even from one of its own.
        guard request.headers[.origin] == nil else { return .exportRefused(nil, of: request) }
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        do {
            guard let export else { throw ConsoleFailure.nothingToExport }
            let body = try await request.wholeBody(upTo: Int(bodyByteCountMax), in: memory)
            let exported = try await export(ExportRequest(Array(body.readableBytesView)))
            guard !exported.isEmpty else { throw ConsoleFailure.nothingToExport }
            let answer: [(String, JSONText)] = [
                ("message", "OK"), ("exported", .array(exported.map(JSONText.string))),
            ]
            return .json(.object(answer), isIndented: false)
        } catch let failure as ConsoleFailure {
            return .hubMessage(failure.message, status: failure.status)
        } catch let error as RequestBodyError {
            let failure: ConsoleFailure =
                switch error {
                case .tooLarge: .bodyTooLarge(limit: bodyByteCountMax)
                case .broken: .bodyBroken
                case .memoryExceeded(let exceeded): ConsoleFailure(status: 429, message: exceeded.message)
                }
            return .hubMessage(failure.message, status: failure.status)
        } catch {
            return .hubMessage("\(error)", status: 500)
        }
    }
}

extension Response {
    /// The answer to a page of some site in the developer's browser, which must not write files.
    static func exportRefused(_ reason: String?, of request: Request) -> Response {
        let message = "Export cannot be triggered by external callers."
        // Of one with an origin, the hub says no more than that.
        guard let reason, request.headers[.origin] == nil else { return .hubMessage(message, status: 403) }
        return .hubMessage("\(message) \(reason)", status: 403)
    }

    /// An answer as the hub words its failures.
    fileprivate static func hubMessage(_ message: String, status: Int) -> Response {
        .json(.object([("message", .string(message))]), status: status, isIndented: false)
    }
}

extension ConsoleFailure {
    fileprivate static let exportWithoutPath = Self(
        status: 400,
        message: "The body must be JSON with the 'path' of a directory."
    )

    fileprivate static func badExportPath(_ fault: String) -> Self { Self(status: 400, message: fault) }

    fileprivate static let bodyBroken = Self(
        status: 400,
        message: "The body is cut off or not chunked as HTTP/1.1 says; send all of it."
    )

    fileprivate static let nothingToExport = Self(
        status: 500,
        message: "None of the targets can be exported: there are Firestore, Storage and Authentication."
    )
}
