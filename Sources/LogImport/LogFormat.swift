// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// The formats of logs that are read.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Usage logs of Cloud Storage.
    case usageCSV = "usage-csv"
    /// HTTP archives of browsers and proxies.
    case har
    /// Entries of Cloud Logging as JSON.
    case cloudLogging = "cloud-logging"
    /// Access logs of nginx and Apache.
    case combined

    /// Tells the format of a file by its beginning.
    init(detectedIn path: String) throws {
        let file = try GunzippedFile(path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let count = try file.read(into: buffer)
        var start = String(decoding: buffer[..<count], as: UTF8.self)
        if start.hasPrefix("\u{FEFF}") { start.removeFirst() }
        start = start.trimmingCharacters(in: .whitespacesAndNewlines)
        if start.hasPrefix("\"time_micros\"") || start.hasPrefix("time_micros,") {
            self = .usageCSV
        } else if start.hasPrefix("{"), start.contains("\"log\""), start.prefix(4_096).contains("\"version\"") {
            self = .har
        } else if start.hasPrefix("{") || start.hasPrefix("[") {
            self = .cloudLogging
        } else if start.prefix(4_096).contains("] \"") {
            self = .combined
        } else {
            throw LogImportError(
                path: path,
                line: nil,
                problem:
                    "is no log that is known; expected one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
    }
}
