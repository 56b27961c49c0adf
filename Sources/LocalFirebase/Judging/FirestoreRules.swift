// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreServer
import JSON
import SecurityRules

/// Has the rules of projects replaced while the emulator serves.
struct FirestoreRules: RulesEndpoint {
    static let service = "cloud.firestore"

    let judge: RulesJudge
    let current: CurrentJudge
    /// The demands on tokens, where there are any.
    let tokens: TokenCheck?

    /// Puts a judge in force: Security Rules, or one in their place.
    init(judge: RulesJudge, inPlace other: (any FirestoreJudge)? = nil, tokens: TokenCheck?) {
        (self.judge, self.tokens) = (judge, tokens)
        current = CurrentJudge(Self.checking(other ?? judge, tokens))
    }

    private static func checking(_ judge: any FirestoreJudge, _ tokens: TokenCheck?) -> any FirestoreJudge {
        tokens.map { TokenJudge(tokens: $0, rules: judge) } ?? judge
    }

    func put(_ body: JSONValue, project: String) -> RulesAnswer {
        guard let files = body["rules"]?["files"]?.array, !files.isEmpty else {
            return RulesAnswer(status: 500, .object([:]))
        }
        let name = files[0]["name"]?.string ?? ""
        do throws(RulesError) {
            let rules = try Self.compile(files)
            judge.replace(rules, of: files.map(RulesSource.init), of: project)
            current.replace(with: Self.checking(judge, tokens))
            return RulesAnswer(Self.issues(rules.warnings, file: name))
        } catch {
            if body["ignore_errors"] == .bool(true) { return RulesAnswer(Self.issues(error.issues, file: name)) }
            let lines = error.issues.map(\.description).joined(separator: "\n")
            return .refused("Error compiling rules:\n\(lines)")
        }
    }

    /// Puts rules in force for the projects that have none of their own.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - database: The database that they are for; `nil` for those that have no rules apart.
    func replaceCommon(_ rules: CompiledRules, of database: String? = nil) {
        judge.replaceCommon(rules, of: database)
        current.replace(with: Self.checking(judge, tokens))
    }

    /// Compiles files, each by itself; the first one's rules are those that count, as on the official emulator (1.19.9, 2026-11).
    private static func compile(_ files: [JSONValue]) throws(RulesError) -> CompiledRules {
        let first = try CompiledRules(files[0]["content"]?.string ?? "", service: service)
        for file in files.dropFirst() { _ = try CompiledRules(file["content"]?.string ?? "", service: service) }
        return first
    }

    func source(of database: DatabaseID) -> RulesAnswer {
        let content = judge.rules(of: database)?.rules.source ?? ""
        return RulesAnswer(.object(["rules": .object(["files": .array([.object(["content": .string(content)])])])]))
    }

    func coverage(of database: DatabaseID) -> RulesAnswer {
        let inForce = judge.rules(of: database)
        let report = RulesSource.report(of: inForce?.files ?? [.open], inForce?.coverage)
        return RulesAnswer(contentType: "application/json", report)
    }

    func coveragePage(of database: DatabaseID) -> RulesAnswer {
        let inForce = judge.rules(of: database)
        let isDefault = database == DatabaseID(project: database.project)
        let page = CoveragePage(
            of: inForce?.files.first ?? .open,
            inForce?.coverage,
            project: isDefault ? database.project : "\(database.project)/\(database.database)"
        )
        return RulesAnswer(contentType: "text/html; charset=utf-8", page.text)
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

extension RulesSource {
    /// A file of a call that puts rules in force.
    fileprivate init(_ file: JSONValue) {
        self.init(content: file["content"]?.string ?? "", name: file["name"]?.string)
    }
}
