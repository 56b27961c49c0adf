// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import Wire

/// Answers `/console/databases`, `/console/snapshots…`, `/console/export` and `/console/import`.
struct DataEndpoint: Sendable {
    private static let bodyByteCountMax = 16 << 10
    static let snapshots: Substring = "snapshots"

    let calls: any DataCalls

    /// Answers a call; `nil` for another path.
    func answer(_ request: Request, at path: Substring) async throws -> Response? {
        do {
            switch (request.method, path) {
            case (.get, "databases"): return try await databases()
            case (.get, Self.snapshots): return try await list()
            case (.post, "export"): return Self.done(try await calls.export(to: try await Self.path(in: request)))
            case (.post, "import"): return Self.done(try await calls.load(from: try await Self.path(in: request)))
            default: return try await snapshot(request, path)
            }
        } catch let refusal as DataRefusal {
            throw ConsoleFailure(status: 409, message: refusal.message)
        }
    }

    private func databases() async throws -> Response {
        let names = try await blockingWork { [calls] in try calls.databases() }
        return .json(.object([("databases", .array(names.map(JSONText.string)))]), isIndented: false)
    }

    private func list() async throws -> Response {
        let snapshots = try await blockingWork { [calls] in try calls.snapshots() }
        return .json(.object([("snapshots", .array(snapshots.map(\.json)))]), isIndented: false)
    }

    private func snapshot(_ request: Request, _ path: Substring) async throws -> Response? {
        guard path.hasPrefix(Self.snapshots + "/") else { return nil }
        let parts = path.dropFirst(Self.snapshots.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard let text = parts.first, let name = SnapshotName(String(text)) else {
            throw ConsoleFailure.badSnapshotName
        }
        switch (request.method, parts.dropFirst().first) {
        case (.post, nil): return Self.done(try await calls.save(name))
        case (.post, "restore") where parts.count == 2: return Self.done(try await calls.restore(name))
        case (.delete, nil):
            try await calls.delete(name)
            return Self.done("")
        default: return nil
        }
    }

    private static func done(_ counts: String) -> Response {
        .json(.object([("data", .string(counts))]), isIndented: false)
    }

    private static func path(in request: Request) async throws -> String {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        guard let body = try? await request.wholeBody(upTo: bodyByteCountMax, in: memory),
            let path = (try? JSONValue(parsing: Array(body.readableBytesView)))?["path"]?.string, !path.isEmpty
        else { throw ConsoleFailure(status: 400, message: "The body must be JSON with the 'path' of a directory.") }
        if let fault = ExportPath.fault(in: path) { throw ConsoleFailure(status: 400, message: fault) }
        return path
    }
}

extension ConsoleFailure {
    fileprivate static let badSnapshotName = Self(
        status: 400,
        message: "A snapshot's name has letters, digits, '.', '_' and '-', at most 64 of them, and begins with no '.'."
    )
}
