// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON

/// A small file of JSON with comments that a person wrote.
struct ConfigurationFile {
    /// Larger files are refused.
    static let byteCountMax = 4 << 20

    let value: JSONValue
    /// The problem of a key that occurs twice.
    let notice: SuiteNotice?

    /// Reads a file, links followed.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - emptyValue: The value of a file without a byte; `nil` where that is an error.
    /// - Throws: `SuiteConfigurationError`.
    init(_ path: String, emptyValue: JSONValue? = nil) throws(SuiteConfigurationError) {
        let text = try Self.contents(of: path)
        if text.isEmpty, let emptyValue {
            (value, notice) = (emptyValue, nil)
            return
        }
        let reading: CommentedJSON.Reading
        do {
            reading = try CommentedJSON.read(text)
        } catch {
            throw .badFile("Parse Error in \(path):\n\n\(error.description)")
        }
        value = reading.value
        notice = reading.repeatedKey.map { .warning("\(path), \($0): a key occurs twice; its last value counts.") }
    }

    private static func contents(of path: String) throws(SuiteConfigurationError) -> [UInt8] {
        let file = try OpenFile<SuiteConfigurationError>(path, .reading, .notWaiting)
        guard try file.status().kind == .regular else { throw .badFile("\(path) is not a regular file") }
        guard let bytes = try file.bytes(upTo: byteCountMax) else {
            throw .badFile("\(path) is larger than \(byteCountMax) bytes, the limit")
        }
        return bytes
    }
}
