// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import Testing

@Suite struct `Hosts and ports in firebase.json` {
    private static func configuration(_ auth: String) -> String { #"{"emulators": {"auth": \#(auth)}}"# }

    @Test(
        arguments: [
            ("{}", nil, nil),
            ("null", nil, nil),
            ("true", nil, nil),
            ("9100", nil, nil),
            (#"{"port": 9100}"#, nil, 9100),
            (#"{"port": "9100"}"#, nil, 9100),
            (#"{"port": " 9100x"}"#, nil, 9100),
            (#"{"port": 9100.0}"#, nil, 9100),
            (#"{"port": 9.1e3}"#, nil, 9100),
            (#"{"port": 0}"#, nil, 0),
            (#"{"port": "0"}"#, nil, 0),
            (#"{"port": null}"#, nil, nil),
            (#"{"port": ""}"#, nil, nil),
            (#"{"port": 65535}"#, nil, 65_535),
            (#"{"host": "0.0.0.0", "port": 1}"#, "0.0.0.0", 1),
            (#"{"host": "::1"}"#, "::1", nil),
            (#"{"host": ""}"#, nil, nil),
        ] as [(String, String?, Int?)]
    )
    func `are taken as they are`(auth: String, host: String?, port: Int?) throws {
        let address = try #require(try ProjectFixture(Self.configuration(auth)).plan()[.auth])
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.hostOrDefault == host ?? "localhost")
        #expect(address.portOrDefault == port ?? 9099)
    }

    @Test(
        arguments: [
            "65536", "-1", "99999999999999999999", "1e300", "\"http\"", "\"99999999999999999999\"", "true", "[9099]",
            "{}",
            "\"-1\"",
        ]
    )
    func `a port that is not one is refused`(port: String) throws {
        let project = try ProjectFixture(Self.configuration(#"{"port": \#(port)}"#))
        #expect(
            project.failure() == "firebase.json: emulators.auth.port must be a port, a number between 0 and 65535"
        )
    }

    @Test(arguments: ["5", "[]", "\"a\\u0000b\""])
    func `a host that is not one is refused`(host: String) throws {
        let project = try ProjectFixture(Self.configuration(#"{"host": \#(host)}"#))
        #expect(project.failure() == "firebase.json: emulators.auth.host must be a host name")
    }

    @Test func `a wrong port of another program is warned of`() throws {
        let plan = try ProjectFixture(#"{"emulators": {"auth": {}, "functions": {"port": "x"}}}"#).plan()
        #expect(plan[.functions]?.portOrDefault == 5001)
        #expect(plan.warnings.contains { $0.hasPrefix("firebase.json: emulators.functions.port must be a port") })
    }

    @Test func `ports that firebase.json names are fixed, and defaults of some are not`() throws {
        let plan = try ProjectFixture(
            """
            {"firestore": {}, "emulators": {"hub": {"port": 4401}, "functions": {"port": 5002, "host": "127.0.0.1"},
             "firestore": {"websocketPort": "9151"}, "hosting": {}}}
            """
        ).plan()
        #expect(plan.hub.isPortFixed)
        #expect(plan[.firestore]?.isPortFixed == true)
        #expect(plan.ui?.isPortFixed == false)
        #expect(plan[.hosting]?.isPortFixed == false)
        #expect(plan[.functions] == plan.unserved.first)
        #expect(plan[.functions]?.port == 5002)
        #expect(plan[.functions]?.host == "127.0.0.1")
        #expect(plan.firestore?.websocketPort == 9151)
        #expect(plan[.storage] == nil)
    }
}
