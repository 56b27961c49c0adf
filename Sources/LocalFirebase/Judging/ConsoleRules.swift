// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import FirestoreModel
import JSON
import ObjectStore
import SecurityRules
import Wire

/// Security Rules for the console: those in force, the requests that they judge, and trials over the data that there are.
struct ConsoleRules: RulesCalls {
    /// How long requests are kept after they were asked for, in microseconds.
    private static let attention: Int64 = 10_000_000

    private let rooms: EmulatorRooms
    private let project: String

    init(_ rooms: EmulatorRooms, project: String) { (self.rooms, self.project) = (rooms, project) }

    func sources() -> JSONText {
        let documents = rooms.rules.judge.sources.map { project, database, files in
            Self.entry(
                FirestoreRules.service,
                [("project", project), ("database", database)],
                files: files.map { ($0.name, $0.content) }
            )
        }
        let objects = rooms.storageRules.judge.sources.map { bucket, source in
            Self.entry(StorageRules.service, [("bucket", bucket)], files: [(nil, source)])
        }
        return .object([("rules", .array(documents + objects))])
    }

    private static func entry(
        _ service: String,
        _ place: [(String, String?)],
        files: [(name: String?, content: String)]
    ) -> JSONText {
        let files = files.map { name, content in
            JSONText.object(compacting: [("name", name.map { .string($0) }), ("content", .string(content))])
        }
        let place = place.map { ($0.0, $0.1.map { JSONText.string($0) }) }
        return .object(compacting: [("service", .string(service))] + place + [("files", .array(files))])
    }

    func lastRequests() -> String { rooms.rules.judge.feed?.attend(for: Self.attention) ?? "[]" }

    func trial(_ question: JSONValue) async throws -> JSONText {
        do {
            let trial = try RulesQuestion(question)
            let isOfStorage = trial.service == StorageRules.service
            let rules = try trial.rules ?? (isOfStorage ? storageRules(of: trial) : firestoreRules(of: trial))
            return try await blockingWork {
                let outcome = try isOfStorage ? storageOutcome(trial, rules) : firestoreOutcome(trial, rules)
                return outcome.json
            }
        } catch let error as EmulatorError {
            throw TrialRefusal(error.description)
        } catch let error as RulesError {
            throw TrialRefusal(error.issues.map(\.description).joined(separator: "\n"))
        }
    }

    private func database(of trial: RulesQuestion) -> DatabaseID {
        DatabaseID(project: trial.project ?? project, database: trial.database)
    }

    /// The rules in force, compiled again, so that a trial is not counted.
    private func firestoreRules(of trial: RulesQuestion) throws -> CompiledRules {
        guard let inForce = rooms.rules.judge.rules(of: database(of: trial)) else {
            return try CompiledRules(RulesSource.open.content, service: FirestoreRules.service)
        }
        return try CompiledRules(inForce.rules.source, service: FirestoreRules.service)
    }

    private func storageRules(of trial: RulesQuestion) throws -> CompiledRules {
        let sources = rooms.storageRules.judge.sources
        guard let source = sources.first(where: { $0.bucket == nil || $0.bucket == trial.bucket })?.source else {
            throw TrialRefusal("No rules of Storage are in force: everything is allowed.")
        }
        return try CompiledRules(source, service: StorageRules.service)
    }

    private func firestoreOutcome(_ trial: RulesQuestion, _ rules: CompiledRules) throws -> RulesTrial.Outcome {
        try RulesTrial(rules, in: rooms.documents, of: database(of: trial)).outcome(of: trial.access, by: trial.claims)
    }

    private func storageOutcome(_ trial: RulesQuestion, _ rules: CompiledRules) throws -> RulesTrial.Outcome {
        let bucket = trial.bucket ?? "\(project).appspot.com"
        let documents = TrialDocuments(store: rooms.documents, database: DatabaseID(project: project))
        let all = StorageRulesTrial(rules, of: bucket, documents: documents) { [objects = rooms.objects] path in
            try objects.metadata(at: path)
        }
        return try all.outcome(of: trial.access, by: trial.claims)
    }
}

/// The body of `POST /console/rules/trial`; docs/console.md has its members.
private struct RulesQuestion: Sendable {
    let service: String
    /// `nil` for the project that is served.
    let project: String?
    let database: String
    let bucket: String?
    let access: RulesTrial.Access
    let claims: JSONValue?
    /// The text of other rules than those in force.
    private let text: String?

    init(_ json: JSONValue) throws(TrialRefusal) {
        switch json["service"]?.string ?? "firestore" {
        case "firestore": service = FirestoreRules.service
        case "storage": service = StorageRules.service
        case let other: throw TrialRefusal("There are rules of firestore and of storage, not of '\(other)'.")
        }
        project = json["project"]?.string
        database = json["database"]?.string ?? "(default)"
        bucket = json["bucket"]?.string
        text = json["rules"]?.string
        guard let path = json["path"]?.string else { throw TrialRefusal("'path' is missing.") }
        let data = json["data"] ?? .object([:])
        switch json["method"]?.string {
        case "get": access = .get(path)
        case "list": access = .list(path, conditions: json["where"]?.array?.compactMap(\.string) ?? [])
        case "create": access = .create(path, data)
        case "update": access = .update(path, data)
        case "delete": access = .delete(path)
        default: throw TrialRefusal("'method' must be get, list, create, update or delete.")
        }
        if case .object(let claims)? = json["claims"], !claims.isEmpty {
            self.claims = .object(claims)
        } else {
            claims = nil
        }
    }

    var rules: CompiledRules? {
        get throws { try text.map { try CompiledRules($0, service: service) } }
    }
}

extension RulesTrial.Outcome {
    fileprivate var json: JSONText {
        .object(compacting: [
            ("allowed", .boolean(refusal == nil)),
            ("refusal", refusal.map { .string(String($0.drop(while: \.isWhitespace))) }),
            ("ruleReads", .integer(Int64(ruleReads))),
            ("rules", .array(rules.map(Self.json))),
        ])
    }

    private static func json(_ rule: RuleUsage) -> JSONText {
        let counts = rule.counts
        let result = counts.held > 0 ? "holds" : counts.failed == counts.evaluations ? "has no value" : "is false"
        return .object([
            ("line", .integer(Int64(rule.line))), ("match", .string(rule.path)),
            ("allow", .array(rule.methods.map(JSONText.string))), ("result", .string(result)),
            ("unproven", .boolean(counts.unproven > 0)), ("expressions", .integer(Int64(counts.expressions))),
            ("microseconds", .integer(Int64(counts.duration / .microseconds(1)))),
            ("reads", .integer(Int64(counts.reads))),
        ])
    }
}
