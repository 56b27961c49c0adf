// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file name in a directory of its own that goes away with the value.
final class TemporaryFile: Sendable {
    private let directory: URL
    let path: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("session-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("session.log").path
    }

    convenience init(_ text: String) throws { try self.init(text.utf8) }

    convenience init(_ bytes: some Sequence<UInt8>) throws {
        try self.init()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func text() throws -> String { String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self) }

    /// The names of all files beside it.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
}
