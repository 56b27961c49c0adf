// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import Testing

@Suite struct `Choosing the project` {
    private static let configuration = #"{"auth": {}}"#
    private static let two = #"{"projects": {"default": "first", "staging": "second"}}"#
    private static let one = #"{"projects": {"staging": "second"}}"#

    @Test(
        arguments: [
            (nil, nil, nil, "demo-no-project", nil),
            (nil, "{}", nil, "demo-no-project", nil),
            (nil, two, nil, "first", "default"),
            (nil, one, nil, "second", "staging"),
            (nil, #"{"projects": {"a": "x", "b": "y"}}"#, nil, "demo-no-project", nil),
            ("staging", two, nil, "second", "staging"),
            ("other", two, nil, "other", nil),
            ("", two, "other", "first", "default"),
            (nil, two, "staging", "second", "staging"),
            (nil, two, "other", "other", nil),
            ("third", two, "other", "third", nil),
            (nil, #"{"projects": {"default": 5, "b": "", "only": "x"}}"#, nil, "x", "only"),
            (nil, #"{"projects": "x", "targets": 5}"#, nil, "demo-no-project", nil),
            (nil, "// nothing\n{}", "google.com:app", "google.com:app", nil),
        ] as [(String?, String?, String?, String, String?)]
    )
    func `the option goes before firebase use, and that before .firebaserc`(
        option: String?,
        resources: String?,
        active: String?,
        id: String,
        alias: String?
    ) throws {
        let project = try ProjectFixture(Self.configuration, resources: resources)
        if let active { try project.use(active) }
        let plan = try project.plan(project: option)
        #expect(plan.project.id == id)
        #expect(plan.project.alias == alias)
        #expect(plan.warnings == [])
    }

    @Test func `firebase use counts for the directories below, too`() throws {
        let project = try ProjectFixture(resources: Self.two)
        try project.write(Self.configuration, to: "app/firebase.json")
        try project.use("demo-used")
        #expect(try project.plan(in: "app").project.id == "demo-used")
    }

    @Test func `firebase use counts for the project's directory, not for the working directory`() throws {
        let project = try ProjectFixture(Self.configuration, resources: Self.two)
        try project.write("", to: "src/file")
        try project.use("demo-used", in: "src")
        #expect(try project.plan(in: "src").project.id == "first")
    }

    @Test func `the settings may be elsewhere`() throws {
        let project = try ProjectFixture(Self.configuration)
        try project.write(#"{"activeProjects": {"/": "demo-root"}}"#, to: "xdg/configstore/firebase-tools.json")
        var request = project.request()
        request.environment["XDG_CONFIG_HOME"] = "\(project.directory)/xdg"
        #expect(try SuitePlan(request).project.id == "demo-root")
        request.environment = [:]
        #expect(try SuitePlan(request).project.id == "demo-no-project")
    }

    @Test(arguments: ["", "{", "[]", "{\"projects\": {\"default\": \"x\"}"])
    func `files that cannot be read are warned of`(text: String) throws {
        let project = try ProjectFixture(Self.configuration, resources: text)
        try project.writeSettings("{")
        let warnings = try project.plan().warnings
        let isMalformed = text != "[]"
        #expect(warnings.contains { $0.hasPrefix("JSON error trying to load ") } == isMalformed)
        #expect(warnings.contains { $0.hasPrefix("The project chosen by firebase use is not known: ") })
    }

    @Test(arguments: [("demo-a", true), ("demo", false), ("my-demo-a", false)])
    func `a demo project is known by its name`(id: String, isDemo: Bool) throws {
        let plan = try ProjectFixture(Self.configuration).plan(project: id)
        #expect(plan.project.isDemo == isDemo)
        #expect(plan.notices.contains { $0.text.hasPrefix("Detected demo project ID \"\(id)\", emulated") } == isDemo)
    }

    @Test(arguments: ["example", "my-project", "example-", "0123456", "google.com:some-project"])
    func `an id may be one that production no longer gives`(id: String) throws {
        #expect(try ProjectFixture(Self.configuration).plan(project: id).project.id == id)
    }

    @Test(arguments: ["EXAMPLE", "!", "with space", " a", "a ", "has.dot", "../up", "a:", ":a", "ä"])
    func `an id that cannot be one is refused`(id: String) throws {
        let hint = id == "EXAMPLE" ? "\nNote: Project id must be all lowercase." : ""
        #expect(try ProjectFixture(Self.configuration).failure(project: id) == "Invalid project id: \(id).\(hint)")
    }

    @Test func `an old firebase.json names the project`() throws {
        let project = try ProjectFixture(#"{"firebase": "old", "auth": {}}"#, resources: Self.two)
        let plan = try project.plan()
        #expect(plan.project.id == "old")
        #expect(plan.warnings == [#""firebase" key in firebase.json is deprecated. Run firebase use --add instead"#])
    }
}
