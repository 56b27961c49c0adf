// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import LogImport

/// A request with texts of its own.
struct CollectedRequest: Hashable {
    var time: Int64 = 0
    var operation = LoggedOperation.download
    var status = 200
    var byteCount: Int64?
    var bucket = ""
    var object = ""
    var client: UInt64 = 0
    var isFromCache = false
}

/// Keeps the contents of a log.
struct CollectedRequests: RequestSink {
    var requests: [CollectedRequest] = []

    mutating func take(_ request: borrowing LoggedRequest) {
        requests.append(
            CollectedRequest(
                time: request.time,
                operation: request.operation,
                status: request.status,
                byteCount: request.byteCount,
                bucket: request.bucketName,
                object: request.objectName,
                client: request.clientHash,
                isFromCache: request.isFromCache
            )
        )
    }

    /// The requests of a log, which is written to a file and read from it.
    static func of(_ text: String, _ format: LogFormat? = nil, name: String = "log") throws -> [CollectedRequest] {
        try of(Data(text.utf8), format, name: name)
    }

    static func of(_ bytes: Data, _ format: LogFormat? = nil, name: String = "log") throws -> [CollectedRequest] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var collected = CollectedRequests()
        try LogReader(file.path, format: format).parse(into: &collected)
        return collected.requests
    }
}
