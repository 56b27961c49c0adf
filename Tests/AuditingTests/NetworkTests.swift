// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Auditing

@Suite struct NetworkTests {
    private func network(in json: String) throws -> Network {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(json.utf8).write(to: url)
        return try Network(named: url.path)
    }

    @Test func `those that ship have a source and a day`() throws {
        #expect(Network.shipped.count > 10)
        for network in Network.shipped {
            #expect(network.source.contains("2026-") && network.roundTrip > 0, "\(network.name)")
            #expect(try Network(named: network.name) == network)
        }
        #expect(Network.default.downBitsPerSecond == 9_000_000)
        #expect(try Network(named: "slow-4g").downBitsPerSecond == 1_638_400)
        #expect(try Network(named: "very-bad").lossPerMillion == 100_000)
    }

    @Test func `a file has one of its own`() throws {
        let office = try network(
            in: """
                {"schema": "firemeter.networks/1", "networks": [
                  {"name": "office", "downKilobitsPerSecond": 50000, "roundTripMilliseconds": 12.5}
                ]}
                """
        )
        let expected = Network(
            name: "office",
            title: "office",
            downBitsPerSecond: 50_000_000,
            roundTrip: 12_500_000
        )
        #expect(office == expected)
    }

    @Test(arguments: [
        ("{", "line 1"),
        (#"{"schema":"x"}"#, "firemeter.networks/1"),
        (#"{"schema":"firemeter.networks/1","networks":[]}"#, "0 networks"),
        ("{\"schema\":\"firemeter.networks/1\",\"networks\":[\n{}]}", "line 2: 'name' is missing"),
        (
            "{\"schema\":\"firemeter.networks/1\",\"networks\":[{\"name\":\"n\",\n\"downKilobitsPerSecond\":0}]}",
            "line 2: 'downKilobitsPerSecond' must be a number from 1.0"
        ),
    ])
    func `a file that is wrong names the line`(json: String, message: String) {
        let error = #expect(throws: AuditError.self) { try network(in: json) }
        #expect(error?.exitCode == 64)
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `an unknown name is told with the known ones`() {
        let error = #expect(throws: AuditError.self) { try Network(named: "5g") }
        #expect(error?.description.contains("edge, 2g, 3g-slow") == true)
    }
}
