// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import Testing

@Suite struct `Firestore's databases` {
    private static let targets = #"{"targets": {"demo-no-project": {"firestore": {"many": ["b", "c"]}}}}"#
    private static let several = """
        {"firestore": [{"database": "(default)", "rules": "a.rules"}, {"target": "many", "rules": "b.rules"},
         {"database": "last", "rules": "sub/../b.rules", "indexes": "i.json"}]}
        """

    private static func project(_ text: String) throws -> ProjectFixture {
        let project = try ProjectFixture(text, resources: targets)
        for file in ["a.rules", "b.rules", "i.json"] { try project.write("", to: file) }
        return project
    }

    @Test(
        arguments: [
            (#"{"emulators": {"firestore": {}}}"#, "(default) - -"),
            (#"{"firestore": {}}"#, "(default) - -"),
            (#"{"firestore": []}"#, "(default) - -"),
            (#"{"firestore": null, "emulators": {"firestore": null}}"#, "(default) - -"),
            (#"{"firestore": {"rules": "a.rules", "indexes": "i.json"}}"#, "(default) a.rules i.json"),
            (#"{"firestore": {"rules": "./a.rules", "database": "db"}}"#, "db a.rules -"),
            (#"{"firestore": [{"database": "db", "rules": "a.rules"}]}"#, "db a.rules -"),
            (several, "(default) a.rules -, b b.rules -, c b.rules -, last b.rules i.json"),
            (#"{"firestore": [{"database": "x"}, {"database": "x", "rules": "a.rules"}]}"#, "x a.rules -"),
        ]
    )
    func `each has its rules and indexes`(text: String, databases: String) throws {
        let project = try Self.project(text)
        let plan = try #require(try project.plan().firestore)
        let found = plan.databases.map { database in
            [database.id, database.rules ?? "-", database.indexes ?? "-"].joined(separator: " ")
        }
        #expect(found.joined(separator: ", ").replacing("\(project.directory)/", with: "") == databases)
    }

    @Test(
        arguments: [
            ("firestore", "(default),b,c,last"), ("firestore:rules", "(default),b,c,last"),
            ("firestore:indexes", "(default),b,c,last"), ("firestore:last", "last"),
            ("firestore:many,firestore:(default)", "(default),b,c"), ("firestore,firestore:last", "(default),b,c,last"),
        ]
    )
    func `the option may choose some`(only: String, ids: String) throws {
        let plan = try Self.project(Self.several).plan(only: only)
        #expect(plan.firestore?.databases.map(\.id).joined(separator: ",") == ids)
    }

    @Test func `a single database is not chosen by name`() throws {
        let plan = try Self.project(#"{"firestore": {"database": "db"}}"#).plan(only: "firestore:other")
        #expect(plan.firestore?.databases.map(\.id) == ["db"])
    }

    @Test(
        arguments: [
            (several, "firestore:x,firestore:last,firestore:y", "for the following database targets: x, y"),
            (
                #"{"firestore": [{"target": "none"}]}"#, nil,
                "Deploy target none not configured for project demo-no-project. Configure with:\n\n"
                    + "  firebase target:apply firestore none <resources...>"
            ),
            (#"{"firestore": [{"rules": "a.rules"}]}"#, nil, #"Must supply either "target" or "databaseId""#),
            (#"{"firestore": [5]}"#, nil, #"Must supply either "target" or "databaseId""#),
            (#"{"firestore": {"rules": 5}}"#, nil, "firebase.json: firestore.rules must be the path of a file"),
            (#"{"firestore": {"rules": "../a.rules"}}"#, nil, "../a.rules is outside of project directory"),
            (#"{"firestore": {"rules": "a\u0000b"}}"#, nil, "a path in firebase.json holds a zero byte"),
            (#"{"firestore": {"edition": "gold"}}"#, nil, "must be either 'standard' or 'enterprise'."),
            (
                #"{"emulators": {"firestore": {"websocketPort": 70000}}}"#, nil,
                "emulators.firestore.websocketPort must be a port"
            ),
        ] as [(String, String?, String)]
    )
    func `a configuration that cannot be meant is refused`(text: String, only: String?, message: String) throws {
        let failure = try #require(try Self.project(text).failure(only: only))
        #expect(failure.contains(message))
    }

    @Test func `absolute paths may lead anywhere`() throws {
        let elsewhere = try ProjectFixture(nil)
        try elsewhere.write("", to: "x.rules")
        let path = "\(elsewhere.directory)/x.rules"
        let project = try ProjectFixture(#"{"firestore": {"rules": "\#(path)"}}"#)
        #expect(try project.plan().firestore?.databases.first?.rules == path)
    }

    @Test(
        arguments: [
            (
                #"{"emulators": {"firestore": {}}}"#,
                ["Did not find a Cloud Firestore rules file", "default to allowing"]
            ),
            (
                #"{"firestore": {"rules": "no.rules"}}"#,
                ["Cloud Firestore rules file @/no.rules specified in firebase.json does not", "default to allowing"]
            ),
            (
                #"{"firestore": [{"database": "db"}]}"#,
                ["Did not find", "default to allowing all reads and writes of database db."]
            ),
            (
                #"{"firestore": {"rules": "a.rules", "indexes": "no.json"}}"#,
                ["Cloud Firestore indexes file @/no.json specified in firebase.json does not exist."]
            ),
            (
                #"{"firestore": {"rules": "a.rules", "indexes": "../i.json"}}"#,
                ["Cloud Firestore indexes are left out: ../i.json is outside of project directory"]
            ),
            (
                #"{"firestore": {"rules": "a.rules", "edition": "standard"}, "emulators": {"firestore": {"edition": "Enterprise"}}}"#,
                ["The edition configured in your firebase.json#firestore and"]
            ),
        ]
    )
    func `what would surprise is warned of`(text: String, warnings: [String]) throws {
        let project = try Self.project(text)
        let found = try project.plan().warnings
        #expect(found.count == warnings.count)
        for (warning, expected) in zip(found, warnings) {
            #expect(warning.contains(expected.replacing("@", with: project.directory)))
        }
    }

    @Test(
        arguments: [
            (#"{"firestore": {"edition": "ENTERPRISE"}}"#, true),
            (#"{"firestore": [{"database": "a", "edition": "standard"}]}"#, true),
            (#"{"emulators": {"firestore": {"edition": "enterprise"}}}"#, true),
            (#"{"firestore": {"edition": "gold"}, "emulators": {"firestore": {"edition": "standard"}}}"#, true),
            (#"{"firestore": {"edition": "standard"}, "emulators": {"firestore": {"edition": "gold"}}}"#, false),
        ]
    )
    func `the edition of the emulator, else of the database, must be one`(text: String, isOne: Bool) throws {
        #expect(try Self.project(text).failure() == (isOne ? nil : Self.editionFailure))
    }

    private static let editionFailure = "The Firestore emulator edition must be either 'standard' or 'enterprise'."
}
