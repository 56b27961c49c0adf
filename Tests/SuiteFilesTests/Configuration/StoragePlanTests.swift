// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import Testing

@Suite struct `Storage's rules` {
    private static let targets = """
        {"targets": {"live": {"storage": {"main": ["bucket_0", "bucket_1"], "other": ["bucket_2"]}}}}
        """
    private static let several = """
        {"storage": [{"target": "main", "rules": "a.rules"}, {"target": "other", "rules": "b.rules"}]}
        """
    private static let missing = """
        Cannot start the Storage emulator without rules file specified in firebase.json: run 'firebase init' and set up \
        your Storage configuration
        """

    private static func project(_ text: String) throws -> ProjectFixture {
        let project = try ProjectFixture(text, resources: targets)
        for file in ["a.rules", "b.rules"] { try project.write("", to: file) }
        return project
    }

    @Test(
        arguments: [
            (#"{"storage": {"rules": "a.rules"}}"#, "live", "* a.rules"),
            (#"{"storage": {"rules": "a.rules"}}"#, "demo-a", "* a.rules"),
            (#"{"storage": {"rules": "a.rules", "bucket": "x", "target": "y"}}"#, "live", "* a.rules"),
            (#"{"emulators": {"storage": {}}}"#, "demo-a", "open"),
            (several, "live", "bucket_0 a.rules, bucket_1 a.rules, bucket_2 b.rules"),
            (several, "demo-a", "open"),
            (#"{"storage": [{"bucket": "x", "rules": "a.rules"}]}"#, "live", "x a.rules"),
            (#"{"storage": [{"bucket": "x", "target": "y", "rules": "a.rules"}]}"#, "live", "x a.rules"),
            (#"{"storage": [{"bucket": "x", "target": "main", "rules": "a.rules"}]}"#, "demo-a", "x a.rules"),
            (
                #"{"storage": [{"bucket": "x", "rules": "a.rules"}, {"bucket": "x", "rules": "b.rules"}]}"#, "demo-a",
                "x b.rules"
            ),
            (#"{"storage": []}"#, "live", ""),
        ]
    )
    func `each bucket has its file`(text: String, id: String, rules: String) throws {
        let project = try Self.project(text)
        let plan = try #require(try project.plan(project: id).storage)
        let found =
            switch plan {
            case .open: "open"
            case .everywhere(let rules): "* \(rules)"
            case .ofBuckets(let buckets): buckets.map { "\($0.name) \($0.rules)" }.joined(separator: ", ")
            }
        #expect(found.replacing("\(project.directory)/", with: "") == rules)
    }

    @Test(
        arguments: [
            (#"{"emulators": {"storage": {}}}"#, "live", missing),
            (#"{"storage": {}}"#, "live", missing),
            (#"{"storage": {}}"#, "demo-a", missing),
            (#"{"storage": {"rules": "foo"}}"#, "demo-a", "File not found: @/foo"),
            (#"{"storage": {"rules": "../foo"}}"#, "live", "../foo is outside of project directory"),
            (#"{"storage": [{"rules": "a.rules"}]}"#, "live", "Must supply 'target' in Storage configuration"),
            (#"{"storage": [{"bucket": "x"}]}"#, "live", "firebase.json: storage[0].rules must be the path of a file"),
            (
                #"{"storage": [{"target": "x", "rules": "a.rules"}]}"#, "live",
                "Deploy target x not configured for project live. Configure with:\n\n"
                    + "  firebase target:apply storage x <resources...>"
            ),
        ]
    )
    func `without rules it does not start`(text: String, id: String, message: String) throws {
        let project = try Self.project(text)
        #expect(project.failure(project: id) == message.replacing("@", with: project.directory))
    }

    @Test func `an open store is mentioned`() throws {
        let plan = try Self.project(Self.several).plan(project: "demo-a")
        #expect(plan.warnings == [])
        #expect(
            plan.notices.last?.text
                == "Detected demo project ID \"demo-a\", using a default (open) rules configuration. Storage targets in "
                + "firebase.json will be ignored."
        )
    }
}
