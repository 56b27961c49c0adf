// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONReading

extension Strategy {
    /// The schema of files of strategies.
    static let fileSchema = "firemeter.strategies/1"

    /// Reads the strategies of a file: `{"schema":"firemeter.strategies/1","strategies":[{"name":…,"strategy":…}]}`.
    ///
    /// A strategy without a name bears its text.
    package static func file(at path: String) throws(AuditError) -> [Strategy] {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw AuditError(code: .inputOutput, description: "cannot read the strategies in \(path)")
        }
        let json: LocatedJSON
        do throws(JSONError) {
            json = try LocatedJSON(parsing: Array(text))
        } catch {
            throw wrong(path, LocatedJSON.line(of: error, in: Array(text)), error.message)
        }
        guard json.value["schema"]?.string == fileSchema else {
            throw wrong(path, json.line(of: ["schema"]), "'schema' must be '\(fileSchema)'")
        }
        guard let elements = json.value["strategies"]?.array, !elements.isEmpty else {
            throw wrong(path, json.line(of: ["strategies"]), "'strategies' must list at least one")
        }
        var strategies: [Strategy] = []
        for (index, element) in elements.enumerated() {
            let line = json.line(of: ["strategies", String(index), "strategy"])
            guard let text = element["strategy"]?.string else {
                throw wrong(path, line, "expected a 'strategy' such as 'thumbnails+memory:50MB'")
            }
            do throws(StrategyError) {
                var strategy = try Strategy(text)
                if let name = element["name"]?.string { strategy.name = name }
                strategies.append(strategy)
            } catch {
                throw wrong(path, line, error.description)
            }
        }
        return strategies
    }

    private static func wrong(_ path: String, _ line: Int, _ problem: String) -> AuditError {
        AuditError(code: .usage, description: "\(path), line \(line): \(problem)")
    }
}
