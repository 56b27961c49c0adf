// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import JSON
import SecurityRules

/// Has the rules of projects replaced while the emulator serves.
struct FirestoreRules: RulesEndpoint {
    static let service = "cloud.firestore"

    let judge: RulesJudge
    let current: CurrentJudge

    func put(_ body: JSONValue, project: String) -> RulesAnswer {
        guard let files = body["rules"]?["files"]?.array, !files.isEmpty else {
            return RulesAnswer(status: 500, .object([:]))
        }
        let source = files.compactMap { $0["content"]?.string }.joined(separator: "\n")
        let name = files[0]["name"]?.string ?? ""
        do {
            let rules = try CompiledRules(source, service: Self.service)
            judge.replace(rules, of: project)
            current.replace(with: judge)
            return RulesAnswer(Self.issues(rules.warnings, file: name))
        } catch {
            if body["ignore_errors"] == .bool(true) { return RulesAnswer(Self.issues(error.issues, file: name)) }
            let lines = error.issues.map(\.description).joined(separator: "\n")
            return .refused("Error compiling rules:\n\(lines)")
        }
    }

    func source(project: String) -> RulesAnswer {
        let content = judge.rules(of: project)?.source ?? ""
        return RulesAnswer(.object(["rules": .object(["files": .array([.object(["content": .string(content)])])])]))
    }

    private static func issues(_ issues: [RulesIssue], file: String) -> JSONValue {
        .object(issues.isEmpty ? [:] : ["issues": .array(issues.map { json($0, file: file) })])
    }

    private static func json(_ issue: RulesIssue, file: String) -> JSONValue {
        var position: [String: JSONValue] = file.isEmpty ? [:] : ["fileName": .string(file)]
        if let place = issue.position {
            position["line"] = .integer(Int64(place.line))
            position["column"] = .integer(Int64(place.column))
            position["currentOffset"] = .integer(Int64(place.offset))
            position["endOffset"] = .integer(Int64(place.endOffset))
        }
        return .object([
            "sourcePosition": .object(position), "description": .string(issue.text),
            "severity": .string(issue.severity.rawValue),
        ])
    }
}
