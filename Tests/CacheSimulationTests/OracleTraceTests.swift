// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import FeedClient
import Foundation
import Testing

@Suite struct OracleTraceTests {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")

    @Test func `a trace that was written is read again`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let requests = randomRequests(seed: 9, count: 10_000, objectCount: 300, byteCountMax: 1_000_000)
        try OracleTrace.file(of: trace(of: requests)).write(to: url)
        let oracle = try OracleTrace(url.path)
        #expect(oracle.requestCount == 10_000)
        for policy in SimulatedPolicy.all {
            let expected = try tally(of: trace(of: requests), policy, byteCountMax: 20_000_000)
            #expect(try tally(of: oracle, policy, byteCountMax: 20_000_000) == expected, "\(policy.name)")
        }
    }

    @Test func `its records are those of other simulators`() throws {
        let requests = [(0, 258), (1, 3), (0, 258)].map { (object: $0.0, byteCount: $0.1) }
        let file = try OracleTrace.file(of: trace(of: requests))
        #expect(file.count == 72)
        let first: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
        #expect(Array(file.prefix(24)) == first)
        #expect(Array(file[40..<48]) == [255, 255, 255, 255, 255, 255, 255, 127])
    }

    @Test func `requests without bytes are passed over`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let requests = [(0, 0), (1, 3), (0, 0), (1, 3)].map { (object: $0.0, byteCount: $0.1) }
        try OracleTrace.file(of: trace(of: requests)).write(to: url)
        let tally = try tally(of: try OracleTrace(url.path), .client(.lru), byteCountMax: 10)
        #expect((tally.requestCount, tally.hitCount) == (2, 1))
    }

    @Test(arguments: [Data(), Data(count: 23), Data(count: 25)])
    func `a file that is no whole number of records is refused`(file: Data) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        try file.write(to: url)
        #expect(throws: TraceError.self) { try OracleTrace(url.path) }
    }

    @Test func `a missing file is named`() {
        let error = #expect(throws: TraceError.self) { try OracleTrace("/nowhere/trace.bin") }
        #expect(error?.description.contains("/nowhere/trace.bin") == true)
    }

    @Test(arguments: [Data(count: 48), Data(String(repeating: "GET /images/1.jpg 200 OK", count: 3).utf8)])
    func `a file of something else is told by its records`(file: Data) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        try file.write(to: url)
        var (trace, block) = (try OracleTrace(url.path), TraceBlock())
        let error = #expect(throws: TraceError.self) { try trace.read(&block) }
        #expect(error?.description.contains("record 1 ") == true)
    }
}
