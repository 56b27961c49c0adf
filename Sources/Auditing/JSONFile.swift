// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

/// A file of JSON that people write; what is wrong in it is reported with its line.
struct JSONFile {
    /// The path, as in errors.
    let path: String
    private let json: LocatedJSON

    /// The contents of the file.
    var value: JSONValue { json.value }

    /// Reads a file of a schema, such as `firemeter.budget/1`; `what` is what it holds, as in errors.
    init(_ path: String, what: String, schema: String) throws(AuditError) {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw AuditError(code: .inputOutput, description: "cannot read the \(what) in \(path)")
        }
        try self.init(path, schema: schema, text: Array(text))
    }

    /// Reads the text of a file.
    init(_ path: String, schema: String, text: [UInt8]) throws(AuditError) {
        self.path = path
        do throws(JSONError) {
            json = try LocatedJSON(parsing: text)
        } catch {
            throw Self.wrong(path, line: LocatedJSON.line(of: error, in: text), problem: error.message)
        }
        guard json.value["schema"]?.string == schema else {
            throw wrong(["schema"], problem: "'schema' must be '\(schema)'")
        }
    }

    /// The line on which a part begins, from 1.
    func line(of part: [String]) -> Int { json.line(of: part) }

    /// The error that says what is wrong with a part.
    func wrong(_ part: [String], problem: String) -> AuditError {
        Self.wrong(path, line: line(of: part), problem: problem)
    }

    private static func wrong(_ path: String, line: Int, problem: String) -> AuditError {
        AuditError(code: .usage, description: "\(path), line \(line): \(problem)")
    }
}

extension JSONValue {
    /// The number, whether or not it is whole; `nil` for anything else.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let digits): Double(digits)
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
