// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import JSON
import LocalFirebase
import SecurityRules

/// `firemeter rules check`: compiles a file of rules, and shows what decides about a request.
struct RulesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile a file of Security Rules, and show which line decides about a request.",
        discussion: """
            firemeter rules check firestore.rules
            firemeter rules check firestore.rules --get posts/p1 --user alice --documents documents.json
            firemeter rules check firestore.rules --list posts --where 'public == true'
            firemeter rules check firestore.rules --create posts/p2 --data '{"owner": "alice"}' --user alice
            firemeter rules check storage.rules --create users/alice/a.png --data '{"size": 300, "contentType": "image/png"}'

            The file of --documents has an object of paths: {"posts/p1": {"public": true}}. That of --objects has an object of names, \
            for rules of Storage: {"users/alice/a.png": {"size": 300, "contentType": "image/png", "metadata": {"public": "true"}}}. The \
            exit code is 65 for a file that does not compile, and 77 for a request that is refused.
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String
    @Option(help: ArgumentHelp("Read this document or object.", valueName: "path"))
    var get: String?
    @Option(help: ArgumentHelp("List this collection, or the objects under this prefix.", valueName: "path"))
    var list: String?
    @Option(
        help: ArgumentHelp(
            "List where this holds, such as 'public == true'; may be given several times.",
            valueName: "condition"
        )
    )
    var `where`: [String] = []
    @Option(help: ArgumentHelp("Make this document or object, with what --data has.", valueName: "path"))
    var create: String?
    @Option(
        help: ArgumentHelp(
            "Replace this document, or the metadata of this object, by what --data has.",
            valueName: "path"
        )
    )
    var update: String?
    @Option(help: ArgumentHelp("Delete this document or object.", valueName: "path"))
    var delete: String?
    @Option(help: ArgumentHelp("The fields that are written, or the members of the object.", valueName: "json"))
    var data = "{}"
    @Option(help: ArgumentHelp("Ask as this signed-in user; as a stranger by default.", valueName: "uid"))
    var user: String?
    @Option(help: ArgumentHelp("Further claims of the user's token.", valueName: "json"))
    var claims = "{}"
    @Option(help: ArgumentHelp("The documents that there are.", valueName: "file"))
    var documents: String?
    @Option(help: ArgumentHelp("The objects that there are.", valueName: "file"))
    var objects: String?

    func validate() throws {
        guard [get, list, create, update, delete].compactMap(\.self).count <= 1 else {
            throw ValidationError("One request at a time: give one of --get, --list, --create, --update and --delete.")
        }
        guard `where`.isEmpty || list != nil else { throw ValidationError("--where is of a --list.") }
    }

    func run() throws {
        let checked = try checked()
        guard let access = try access() else { return }
        do {
            let outcome = try outcome(of: access, by: checked)
            print(report(outcome))
            if outcome.refusal != nil { throw ExitCode(EX_NOPERM) }
        } catch let error where !(error is ExitCode) {
            try fail("\(error)", EX_DATAERR)
        }
    }

    private func outcome(of access: RulesTrial.Access, by checked: CheckedRules) throws -> RulesTrial.Outcome {
        let documents = try documents.map(Self.json(ofFile:)) ?? .object([:])
        guard checked.areOfStorage else {
            guard objects == nil else { throw ValidationError("--objects is for rules of Storage.") }
            return try RulesTrial(checked.rules, documents: documents).outcome(of: access, by: try callerClaims())
        }
        guard `where`.isEmpty else { throw ValidationError("--where is for rules of Firestore.") }
        let objects = try objects.map(Self.json(ofFile:)) ?? .object([:])
        let trial = try StorageRulesTrial(checked.rules, objects: objects, documents: documents)
        return try trial.outcome(of: access, by: try callerClaims())
    }

    private func checked() throws -> CheckedRules {
        do {
            let checked = try CheckedRules(file: file)
            for warning in checked.warnings { print(warning) }
            let (rules, warnings) = (checked.rules.usage.count, checked.warnings.count)
            print("\(file): \(rules.counting("rule")), \(warnings.counting("warning"))")
            return checked
        } catch {
            try fail(error.description, error.exitCode)
        }
    }

    private func access() throws -> RulesTrial.Access? {
        if let get { return .get(get) }
        if let list { return .list(list, conditions: `where`) }
        if let create { return .create(create, try Self.json(data, of: "--data")) }
        if let update { return .update(update, try Self.json(data, of: "--data")) }
        return delete.map { .delete($0) }
    }

    private func callerClaims() throws -> JSONValue? {
        guard case .object(var claims) = try Self.json(claims, of: "--claims") else {
            throw ValidationError("--claims must be an object.")
        }
        if let user {
            claims["sub"] = .string(user)
            claims["user_id"] = .string(user)
        }
        return claims.isEmpty ? nil : .object(claims)
    }

    private func report(_ outcome: RulesTrial.Outcome) -> String {
        let lines = outcome.rules.map { rule in
            let counts = rule.counts
            let result = counts.held > 0 ? "holds" : counts.failed == counts.evaluations ? "has no value" : "is false"
            let place = "\(file):\(rule.line)  \(rule.path)  allow \(rule.methods.joined(separator: ", "))"
            let time = counts.duration.formatted(.units(allowed: [.microseconds], fractionalPart: .show(length: 1)))
            let doubt = counts.unproven > 0 ? ", though the filters do not say so: it opens the whole collection" : ""
            return
                "  \(place)  \(result)\(doubt); \(counts.expressions.counting("expression")), \(time), \(counts.reads.counting("read"))"
        }
        let verdict = outcome.refusal.map { "refused: \($0.trimmingPrefix("\n"))" } ?? "allowed"
        return (["\(verdict)"] + lines).joined(separator: "\n")
    }

    private static func json(ofFile path: String) throws -> JSONValue {
        try json(String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8), of: path)
    }

    private static func json(_ text: String, of source: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw ValidationError("\(source) is not JSON: \(error)")
        }
    }

    private func fail(_ message: String, _ code: Int32) throws -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("error: \(message)\n".utf8))
        throw ExitCode(code)
    }
}

extension Int {
    /// The number with what it counts, such as `1 read`.
    fileprivate func counting(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
