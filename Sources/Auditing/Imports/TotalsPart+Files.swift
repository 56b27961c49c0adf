// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LogImport

extension TotalsPart {
    /// Reads the parts of a file, each in a line of its own; `nil` where it has something else.
    package static func all(at path: String, named name: String) throws -> [TotalsPart]? {
        guard let text = FileManager.default.contents(atPath: path),
            text.range(of: Data("\"\(schema)\"".utf8)) != nil
        else { return nil }
        do {
            return try text.split(separator: UInt8(ascii: "\n")).map { line in
                try JSONDecoder().decode(TotalsPart.self, from: line)
            }
        } catch {
            let problem = PartialReport.problem(error)
            throw AuditError(code: .badData, description: "\(name) is no part of totals: \(problem)")
        }
    }

    /// The part as JSON in one line, its keys sorted.
    package func json() throws -> String { try JSONReport.line(of: self) }
}
