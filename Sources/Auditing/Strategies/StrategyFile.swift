// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension Strategy {
    /// The schema of files of strategies.
    static let fileSchema = "firemeter.strategies/1"

    /// Reads the strategies of a file: `{"schema":"firemeter.strategies/1","strategies":[{"name":…,"strategy":…}]}`.
    ///
    /// A strategy without a name bears its text.
    package static func file(at path: String) throws(AuditError) -> [Strategy] {
        let file = try JSONFile(path, "strategies", schema: fileSchema)
        guard let elements = file.value["strategies"]?.array, !elements.isEmpty else {
            throw file.wrong(["strategies"], "'strategies' must list at least one")
        }
        var strategies: [Strategy] = []
        for (index, element) in elements.enumerated() {
            let part = ["strategies", String(index), "strategy"]
            guard let text = element["strategy"]?.string else {
                throw file.wrong(part, "expected a 'strategy' such as 'thumbnails+memory:50MB'")
            }
            do throws(StrategyError) {
                var strategy = try Strategy(text)
                if let name = element["name"]?.string { strategy.name = name }
                strategies.append(strategy)
            } catch {
                throw file.wrong(part, error.description)
            }
        }
        return strategies
    }
}
