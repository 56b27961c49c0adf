// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation

@testable import SecurityRules

/// Rules for documents of tests, and requests to them.
struct SampleRules {
    static let database = DatabaseID(project: "demo-x")
    /// The document that is asked for, `c/d`, and the only one there is.
    static let fields: [String: Value] = [
        "n": .integer(1), "s": .string("x"), "b": .boolean(true), "f": .double(1.5),
        "l": .array([.integer(1), .integer(2)]), "m": .map(["a": .integer(1)]), "nul": .null,
        "ts": .timestamp(Timestamp(seconds: 1_704_164_645, nanoseconds: 678_901_000)),
    ]

    let rules: CompiledRules

    init(rules: CompiledRules) { self.rules = rules }

    /// Compiles matches of the documents of a database.
    init(version: String = "2", _ matches: String) throws(RulesError) {
        let source = """
            rules_version = '\(version)';
            service cloud.firestore { match /databases/{database}/documents { \(matches) } }
            """
        rules = try CompiledRules(source, service: "cloud.firestore")
    }

    /// Rules with one condition of gets in `c`, which is on line 4.
    init(condition: String) throws(RulesError) {
        try self.init("match /c/{id} { allow get: if\n\n\(condition)\n; }")
    }

    /// The refusal of a request for a document by alice; `nil` where she may.
    func refusal(
        of method: RulesMethod = .get,
        _ path: String = "c/d",
        methods: [RulesMethod]? = nil,
        constraints: RulesValue? = nil,
        recordedIn coverage: RulesCoverage? = nil,
        shownBy project: FedProject? = nil,
        byFacts: Bool = false
    ) throws -> String? {
        let elements = ["databases", "(default)", "documents"] + path.split(separator: "/").map(String.init)
        let request = SampleRequest(
            methods: methods ?? [method],
            method: method,
            path: elements.map { $0 == "?" ? .unbound : $0 == "**" ? .anywhere : .literal($0) },
            constraints: constraints,
            fullPath: RulesPath(names: elements),
            document: path == "c/d" ? Self.document : .null,
            describesItself: byFacts
        )
        switch try rules.judge([request], recordedIn: coverage, shownBy: project, with: { _ in OneDocument() }) {
        case .allowed: return nil
        case .denied(let refusal): return refusal
        case .failed: return "failed"
        }
    }

    /// The expressions that a pass with documents evaluates for alice's get of the document.
    var expressionCount: Int {
        let path = RulesPath(names: ["databases", "(default)", "documents", "c", "d"])
        let evaluation = Evaluation(
            of: rules,
            request: .map(RulesMap(Self.request(.get, path))),
            resource: Self.document,
            documents: OneDocument(),
            phase: .withDocuments
        )
        var pass = RulesPass(of: rules, method: .get, path: path.segments, evaluation: evaluation)
        _ = pass.isAllowed()
        return pass.evaluations.reduce(0) { $0 + $1.expressionCount }
    }

    fileprivate static func request(_ method: RulesMethod, _ path: RulesPath) -> [String: RulesValue] {
        let token: [String: RulesValue] = [
            "iss": .string("https://securetoken.google.com/demo-x"), "aud": .string("demo-x"), "iat": .integer(0),
            "exp": .integer(3_600), "auth_time": .integer(0), "sub": .string("alice"), "user_id": .string("alice"),
            "firebase": .map(
                RulesMap(["sign_in_provider": .string("custom"), "identities": .map(RulesMap())])
            ),
        ]
        return [
            "auth": .map(RulesMap(["uid": .string("alice"), "token": .map(RulesMap(token))])),
            "fields": .null, "headers": .map(RulesMap()), "inTransaction": .boolean(false),
            "method": .string(method.rawValue), "path": .path(path),
            "time": .timestamp(Timestamp(seconds: 1_700_000_000)),
        ]
    }

    fileprivate static var document: RulesValue {
        .map(
            RulesMap(
                Document(
                    path: DocumentPath(validated: ["c", "d"]),
                    fields: fields,
                    createTime: Timestamp(seconds: 0),
                    updateTime: Timestamp(seconds: 0)
                ),
                in: database
            )
        )
    }
}

/// A request of alice.
private final class SampleRequest: RulesRequest {
    let methods: [RulesMethod]
    let method: RulesMethod
    let path: [RulesPath.Segment]
    let constraints: RulesValue?
    private let fullPath: RulesPath
    private let document: RulesValue
    private let describesItself: Bool

    init(
        methods: [RulesMethod],
        method: RulesMethod,
        path: [RulesPath.Segment],
        constraints: RulesValue?,
        fullPath: RulesPath,
        document: RulesValue,
        describesItself: Bool
    ) {
        (self.methods, self.method, self.path) = (methods, method, path)
        (self.constraints, self.fullPath, self.document) = (constraints, fullPath, document)
        self.describesItself = describesItself
    }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        .map(RulesMap(SampleRules.request(method, fullPath)))
    }

    func resource() -> RulesValue { document }

    func describe(in facts: RequestFacts) {
        guard describesItself, let path = fullPath.document(in: SampleRules.database) else { return }
        facts.set(
            path,
            in: SampleRules.database,
            by: .signedIn(id: "alice"),
            resource: path.segments == ["c", "d"] ? .found(EncodedFields(SampleRules.fields)) : .missing
        )
    }
}

/// A database with one document.
private struct OneDocument: RulesDocuments {
    func mayBeDocument(_ path: RulesPath) -> Bool { path.document(in: SampleRules.database) != nil }

    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument {
        guard path.document(in: SampleRules.database)?.segments == ["c", "d"],
            case .map(let document) = SampleRules.document
        else { return .missing }
        return .found(document)
    }

    var readCount: Int { 0 }

    func debug(_ value: RulesValue) {}
}

extension URL {
    /// The lines of a file of cases, without its comments.
    static func cases(_ name: String, in file: String = #filePath) throws -> [String] {
        let path = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Cases/\(name)")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map(String.init)
    }
}
