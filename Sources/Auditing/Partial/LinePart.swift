// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LogImport

/// The share that a part of a log has in the whole, as a line of JSON.
package protocol LinePart: Codable {
    static var schema: String { get }
    /// The part in words, as in "is no part of totals".
    static var noun: String { get }
}

extension TotalsPart: LinePart {
    package static var noun: String { "part of totals" }
}

extension ImportPart: LinePart {
    package static var noun: String { "part of an import" }
}

extension LinePart {
    /// Hands out the parts of a file, each in a line of its own, one after the other; returns false where it has something else.
    package static func forEach(at path: String, named name: String, _ body: (Self) throws -> Void) throws -> Bool {
        guard let file = fopen(path, "re") else {
            throw AuditError(code: .inputOutput, description: "cannot read \(name)")
        }
        var line: UnsafeMutablePointer<CChar>?
        defer {
            fclose(file)
            free(line)
        }
        var (capacity, isFirst) = (0, true)
        while case let count = getline(&line, &capacity, file), count > 0, let line {
            let text = Data(bytesNoCopy: line, count: count, deallocator: .none)
            if isFirst, text.range(of: Data("\"\(schema)\"".utf8)) == nil { return false }
            isFirst = false
            try body(try part(text, named: name))
        }
        return !isFirst
    }

    private static func part(_ text: Data, named name: String) throws -> Self {
        do {
            return try JSONDecoder().decode(Self.self, from: text)
        } catch {
            let problem = PartialReport.problem(error)
            throw AuditError(code: .badData, description: "\(name) is no \(noun): \(problem)")
        }
    }

    /// The part as JSON in one line, its keys sorted.
    package func json() throws -> String { try JSONReport.line(of: self) }
}
