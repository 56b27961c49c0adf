// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONReading
import JSONWriting
import NIOCore
import Wire

/// What `POST /_admin/export` asks for, as the emulator hub of Firebase takes it: `{path, initiatedBy, targets}`.
///
/// Source: firebase-tools 15.28.1, `src/emulator/hub.ts` and `hubExport.ts`.
struct ExportRequest {
    /// Where the export goes.
    let path: String

    /// Reads the body; throws without a path, and where Storage is none of the targets that are named.
    init(_ body: [UInt8]) throws(ConsoleFailure) {
        guard let json = try? JSONValue(parsing: body), let path = json["path"]?.string, !path.isEmpty else {
            throw .exportWithoutPath
        }
        if let targets = json["targets"]?.array, !targets.contains(.string("storage")) { throw .nothingToExport }
        self.path = path
    }
}

extension ConsoleServer {
    /// Writes an export of the Storage data into a directory.
    package typealias Exporting = @Sendable (_ directory: String) async throws -> Void

    func export(_ request: Request) async throws -> Response {
        // A page of some site in the developer's browser must not write files.
        guard request.headers[.origin] == nil else { return .hubMessage(.externalCaller, status: 403) }
        guard let export else { throw ConsoleFailure.nothingToExport }
        do {
            let body = try await request.body.collect(upTo: Int(bodyByteCountMax))
            try await export(ExportRequest(Array(body.readableBytesView)).path)
        } catch let failure as ConsoleFailure {
            return .hubMessage(failure.message, status: failure.status)
        } catch {
            return .hubMessage("\(error)", status: 500)
        }
        return .json(.object([("message", "OK"), ("exported", .array(["storage"]))]), isIndented: false)
    }
}

extension Response {
    /// An answer as the hub words its failures.
    fileprivate static func hubMessage(_ message: String, status: Int) -> Response {
        .json(.object([("message", .string(message))]), status: status, isIndented: false)
    }
}

extension String {
    fileprivate static let externalCaller = "Export cannot be triggered by external callers."
}

extension ConsoleFailure {
    fileprivate static let exportWithoutPath = Self(
        status: 400,
        message: "The body must be JSON with the 'path' of a directory."
    )

    fileprivate static let nothingToExport = Self(
        status: 500,
        message: "None of the targets can be exported: Firemeter exports Storage data only."
    )
}
