// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import TestSupport
import Testing

@Suite struct `Finding firebase.json` {
    private static let auth = #"{"emulators": {"auth": {}}}"#

    @Test func `it is searched upwards from the working directory`() throws {
        let project = try ProjectFixture(Self.auth)
        try project.write("", to: "src/app/main.ts")
        let plan = try project.plan(in: "src/app")
        #expect(plan.directory == project.directory)
        #expect(plan.served.map(\.service) == [.auth])
    }

    @Test func `a directory by its name is passed by`() throws {
        let project = try ProjectFixture(Self.auth)
        try project.write("", to: "src/firebase.json/file")
        #expect(try project.plan(in: "src").directory == project.directory)
    }

    @Test(arguments: ["config/other.json", "./config/../config/other.json"])
    func `the option names another, whose directory is the project`(path: String) throws {
        let project = try ProjectFixture(#"{"firestore": {}}"#)
        try project.write(Self.auth, to: "config/other.json")
        var request = project.request()
        request.configurationPath = path
        let plan = try SuitePlan(request)
        #expect(plan.directory == "\(project.directory)/config")
        #expect(plan.served.map(\.service) == [.auth])
    }

    @Test func `a file that the option names must exist`() throws {
        let project = try ProjectFixture(Self.auth)
        var request = project.request()
        for path in ["missing.json", ".", "firebase.json\0"] {
            request.configurationPath = path
            #expect(project.failure(of: request) == "Could not load config file \(path).")
        }
    }

    @Test func `without one only chosen services start`() throws {
        let project = try ProjectFixture()
        let missing = "Not in a Firebase app directory (could not locate firebase.json)"
        #expect(project.failure() == missing)
        #expect(project.failure(only: "firestore,hosting") == missing)
        let plan = try project.plan(only: "firestore,auth,storage")
        #expect(plan.directory == project.directory)
        #expect(plan.served.map(\.service) == [.auth, .firestore, .storage])
        #expect(plan.served.map(\.portOrDefault) == [9099, 8080, 9199])
        #expect(plan.storage == .open)
        #expect(plan.warnings.first == "Could not find config (firebase.json) so using defaults.")
    }

    @Test func `an empty file asks for nothing`() throws {
        let project = try ProjectFixture("")
        let message = try #require(project.failure())
        #expect(message.hasPrefix("No emulators to start: \(project.directory)/firebase.json names none of auth, "))
    }

    @Test(
        arguments: [
            (#"{"auth": {}"#, "Parse Error in %:\n\nline 1, column 12: expected ',' or '}'"),
            ("[]", "% must hold an object"),
            ("null", "% must hold an object"),
            (#"{"firestore": 5}"#, #"Parse Error: "firestore" must be object or import path"#),
            (#"{"emulators": true}"#, #"Parse Error: "emulators" must be object or import path"#),
            (#"{"firestore": "no.json"}"#, "Parse Error: Imported file no.json does not exist"),
            (
                #"{"storage": "firebase.yaml"}"#,
                "Parse Error: firebase.yaml is not of a supported config file type"
            ),
            (#"{"storage": "bad.json"}"#, "Parse Error in @/bad.json:\n\nline 1, column 2: expected a key"),
        ]
    )
    func `a file that cannot be used is refused`(text: String, message: String) throws {
        let project = try ProjectFixture(text)
        try project.write("", to: "firebase.yaml")
        try project.write("{,}", to: "bad.json")
        let expected = message.replacing("%", with: "@/firebase.json").replacing("@", with: project.directory)
        #expect(project.failure() == "There was an error loading firebase.json:\n\n\(expected)")
    }

    @Test func `a file that is too large is refused`() throws {
        let project = try ProjectFixture("{}" + String(repeating: " ", count: 4 << 20))
        #expect(project.failure()?.hasSuffix("is larger than 4194304 bytes, the limit") == true)
    }

    @Test(
        arguments: [
            #"{"rules": "a.rules"} // rules"#, #"{"firestore": {"rules": "a.rules"}}"#,
            #"{"firestore": {"rules": "a.rules"}, "other": 1}"#,
        ]
    )
    func `a section may stand in another file`(section: String) throws {
        let project = try ProjectFixture(#"{"firestore": "conf/db.json", "emulators": "emu.json"}"#)
        try project.write(section, to: "conf/db.json")
        try project.write(#"{"emulators": {"firestore": {"port": 8181}}}"#, to: "emu.json")
        try project.write("", to: "a.rules")
        let plan = try project.plan()
        #expect(plan[.firestore]?.port == 8181)
        let isUnwrapped = !section.contains("other")
        #expect(plan.firestore?.databases.first?.rules == (isUnwrapped ? "\(project.directory)/a.rules" : nil))
    }

    @Test func `unknown members never stop the start`() throws {
        let project = try ProjectFixture(
            #"{"$schema": 1, "x": [null], "hosting": 7, "emulators": {"auth": {"y": 2}, "z": {}, "pubsub": 3}}"#
        )
        let plan = try project.plan()
        #expect(plan.served.map(\.service) == [.auth])
        #expect(plan.unserved.map(\.service) == [.hosting, .pubsub])
    }

    @Test func `a repeated key is warned of`() throws {
        let project = try ProjectFixture("{\"auth\": {},\n\"auth\": {}}")
        #expect(
            try project.plan().warnings == [
                "\(project.directory)/firebase.json, line 2, column 7: a key occurs twice; its last value counts."
            ]
        )
    }
}
