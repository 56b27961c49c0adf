// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import Testing

@Suite struct `Choosing services` {
    private static let all = """
        {"auth": {}, "functions": {"source": "f"}, "hosting": {"public": "p"}, "database": {"rules": "d.json"},
         "emulators": {"firestore": {}, "pubsub": {"port": 8086}, "hub": {}, "logging": {}}}
        """

    @Test(
        arguments: [
            (nil, "auth,firestore", "functions,database,hosting,pubsub"),
            ("", "auth,firestore", "functions,database,hosting,pubsub"),
            (" , ", "auth,firestore", "functions,database,hosting,pubsub"),
            ("auth", "auth", ""),
            ("auth,auth", "auth", ""),
            ("firestore,auth", "auth,firestore", ""),
            ("firestore auth", "auth,firestore", ""),
            ("firestore, functions:api", "firestore", "functions"),
            ("auth,functions:api,functions:web", "auth", "functions"),
            ("auth,ui,hub,logging", "auth", ""),
            ("auth,hosting:site:a", "auth", "hosting"),
        ] as [(String?, String, String)]
    )
    func `those in the file start, unless --only leaves them out`(only: String?, served: String, others: String) throws
    {
        let plan = try ProjectFixture(Self.all).plan(only: only)
        #expect(plan.served.map(\.service.rawValue).joined(separator: ",") == served)
        #expect(plan.unserved.map(\.service.rawValue).joined(separator: ",") == others)
    }

    @Test(
        arguments: [
            ("frestore", " Did you mean firestore?"), ("auth,unknown", ""), (":rules", ""), ("AUTH", ""),
        ]
    )
    func `a name that is not one is refused`(only: String, hint: String) throws {
        let options = """
            ["apphosting","auth","functions","firestore","database","hosting","pubsub","storage","eventarc",\
            "dataconnect","tasks"]
            """
        let name = try #require(only.split(separator: ",").last).prefix { $0 != ":" }
        let message = "\(name) is not a valid emulator name, valid options are: \(options)\(hint)"
        #expect(try ProjectFixture(Self.all).failure(only: only) == message)
    }

    @Test func `a service that the file lacks is warned of`() throws {
        let plan = try ProjectFixture(Self.all).plan(only: "auth,storage")
        #expect(plan.storage == nil)
        #expect(
            plan.notices.contains {
                $0.label == "storage"
                    && $0.text == "Not starting the storage emulator, make sure you have run firebase init."
            }
        )
    }

    @Test(
        arguments: [
            ("{}", nil, "names none of auth, firestore, storage, neither"),
            (#"{"firestore": false, "auth": null}"#, nil, "names none of auth, firestore, storage, neither"),
            (#"{"emulators": {"ui": {}, "hub": {}}}"#, nil, "names none of auth, firestore, storage, neither"),
            (#"{"pubsub": {}, "ui": {}}"#, nil, "names none of auth, firestore, storage, neither"),
            (#"{"auth": {}}"#, "firestore", "--only names firestore, but @/firebase.json asks for auth."),
            (#"{"hosting": {}, "rules": "r"}"#, nil, "database, hosting cannot be served here, but auth, firestore, "),
            (#"{"auth": {}, "hosting": {}}"#, "hosting", "hosting cannot be served here"),
        ] as [(String, String?, String)]
    )
    func `nothing to serve is an error`(text: String, only: String?, message: String) throws {
        let project = try ProjectFixture(text)
        let failure = try #require(project.failure(only: only))
        #expect(failure.hasPrefix("No emulators to start: "))
        #expect(failure.contains(message.replacing("@", with: project.directory)))
    }

    @Test(
        arguments: [
            (#"{"auth": {}}"#, SuiteRequest.Interface.asConfigured, true),
            (#"{"auth": {}, "emulators": {"ui": {}}}"#, .asConfigured, true),
            (#"{"auth": {}, "emulators": {"ui": {"enabled": false}}}"#, .asConfigured, false),
            (#"{"auth": {}, "emulators": {"ui": {"enabled": 0}}}"#, .asConfigured, true),
            (#"{"auth": {}, "emulators": {"ui": {"enabled": false}}}"#, .always, true),
            (#"{"auth": {}, "emulators": {"ui": {"enabled": true}}}"#, .never, false),
        ]
    )
    func `the web interface starts with its log`(text: String, interface: SuiteRequest.Interface, starts: Bool) throws {
        let project = try ProjectFixture(text)
        var request = project.request()
        request.interface = interface
        let plan = try SuitePlan(request)
        #expect((plan.ui != nil) == starts)
        #expect((plan.logging != nil) == starts)
        #expect(plan.hub.portOrDefault == 4400)
    }

    @Test func `the log starts alone where the environment asks for it`() throws {
        let project = try ProjectFixture(#"{"auth": {}, "emulators": {"ui": {"enabled": false}}}"#)
        var request = project.request()
        request.environment["START_LOGGING_EMULATOR"] = "true"
        let plan = try SuitePlan(request)
        #expect(plan.ui == nil)
        #expect(plan.logging?.portOrDefault == 4500)
    }

    @Test(
        arguments: [
            ("", true), (#", "singleProjectMode": true"#, true), (#", "singleProjectMode": false"#, false),
            (#", "singleProjectMode": null"#, false),
        ]
    )
    func `one project is expected unless the file says otherwise`(member: String, isSingle: Bool) throws {
        #expect(try ProjectFixture(#"{"emulators": {"auth": {}\#(member)}}"#).plan().isSingleProject == isSingle)
    }
}
