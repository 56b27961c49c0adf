// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import SecurityRules

/// A file of rules, and the document that it lets a user read.
struct Trial {
    fileprivate static let database = DatabaseID(project: "demo-bench")
    fileprivate static let document = Document(
        path: DocumentPath(validated: ["posts", "p1"]),
        fields: [
            "owner": .string("alice"), "title": .string("A post"), "likes": .integer(12), "isPublic": .boolean(false),
            "tags": .array([.string("sea"), .string("sun")]), "size": .map(["width": .integer(640)]),
        ],
        createTime: Timestamp(seconds: 0),
        updateTime: Timestamp(seconds: 0)
    )

    let name: String
    private let rules: CompiledRules

    private init(_ name: String, _ matches: String) throws(RulesError) {
        self.name = name
        rules = try CompiledRules(
            """
            rules_version = '2';
            service cloud.firestore { match /databases/{database}/documents { \(matches) } }
            """,
            service: "cloud.firestore"
        )
    }

    static var all: [Trial] {
        get throws(RulesError) {
            // Five expressions, and two for each `&&`; each condition is another, and reads a field.
            let owner = "request.auth.uid == resource.data.owner"
            let twenty = "\(owner) && resource.data.likes > 3 && 'sea' in resource.data.tags"
            let many = (0..<85).map { "resource.data.likes > \($0 - 90)" }.joined(separator: " && ")
            let others = (0..<799).map { "match /c\($0)/{id} { allow read: if false; }" }.joined(separator: "\n")
            let mine = "match /posts/{id} { allow read: if \(owner); }"
            return [
                try Trial("field", mine),
                try Trial("20 expressions", "match /posts/{id} { allow read: if \(twenty); }"),
                try Trial("600 expressions", "match /posts/{id} { allow read: if \(many); }"),
                try Trial("800 matches", others + mine),
            ]
        }
    }

    /// Nanoseconds that one judgement takes.
    func nanoseconds(isRecorded: Bool = false) throws -> Int64 {
        let batches = try (0..<200).map { _ in
            let coverage = isRecorded ? RulesCoverage(of: rules) : nil
            let start = ContinuousClock.now
            for _ in 0..<500 {
                let verdict = try rules.judge([ReadOfPost()], recordedIn: coverage) { _ in NoDocuments() }
                guard verdict.isAllowed else {
                    throw Refused(name: name)
                }
            }
            return (ContinuousClock.now - start) / 500
        }
        let attoseconds = batches.sorted()[batches.count / 2].components.attoseconds
        return attoseconds / 1_000_000_000
    }
}

/// Alice's read of the document.
private final class ReadOfPost: RulesRequest {
    private var fullPath: RulesPath { RulesPath(Trial.document.path, in: Trial.database) }

    var method: RulesMethod { .get }

    var path: [RulesPath.Segment] { fullPath.segments }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        .map(RulesMap(RequestFields(.get, of: fullPath, at: Timestamp(seconds: 0), auth: Alice(), special: [:])))
    }

    func resource() -> RulesValue { .map(RulesMap(Trial.document, in: Trial.database)) }

    func describe(in facts: RequestFacts) {
        facts.set(
            Trial.document.path,
            in: Trial.database,
            by: .signedIn(id: "alice"),
            resource: .init(Trial.document)
        )
    }
}

/// The user of all trials.
private final class Alice: RulesMapSource {
    func value(of key: String) -> RulesValue? { key == "uid" ? .string("alice") : nil }
    var entries: [String: RulesValue] { ["uid": .string("alice")] }
}

/// A user may not read what a trial is about.
struct Refused: Error {
    let name: String
}

/// A database in which rules find nothing.
private struct NoDocuments: RulesDocuments {
    func mayBeDocument(_ path: RulesPath) -> Bool { false }
    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument { .missing }
    var readCount: Int { 0 }
    func debug(_ value: RulesValue) {}
}
