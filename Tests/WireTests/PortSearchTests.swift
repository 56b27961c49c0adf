// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Testing

@testable import Wire

@Suite struct `Ports that are searched` {
    private static func inUse(_ port: Int) -> WireError {
        .cannotListen(host: "127.0.0.1", port: port, error: IOError(errnoCode: EADDRINUSE, reason: "bind"))
    }

    @Test func `a hundred ports are tried at most, and none that is another's`() {
        let candidates = PortSearch.candidates(from: 4_000, but: [4_001, 4_400])
        #expect(candidates.prefix(2) == [4_000, 4_002] && candidates.last == 4_099 && candidates.count == 99)
    }

    @Test func `there are no ports beyond the last one`() {
        #expect(PortSearch.candidates(from: 65_534, but: []) == [65_534, 65_535])
        #expect(PortSearch.candidates(from: 70_000, but: []).isEmpty)
    }

    @Test func `a port in use is passed over`() async throws {
        var tried: [Int] = []
        let port = try await PortSearch.listen(on: 1, or: [2, 3, 4]) { port, _ in
            tried.append(port)
            if port < 3 { throw Self.inUse(port) }
            return port
        }
        #expect(port == 3 && tried == [1, 2, 3])
    }

    @Test func `a free port is picked several times, the last time for good`() async throws {
        var tries: [Bool] = []
        let port = try await PortSearch.listen(on: 0, or: []) { port, isLast in
            tries.append(isLast)
            if !isLast { throw Self.inUse(port) }
            return port
        }
        #expect(port == 0 && tries == Array(repeating: false, count: 9) + [true])
    }

    @Test func `the last port's error is that of all`() async {
        let error = await #expect(throws: WireError.self) {
            try await PortSearch.listen(on: 1, or: [2]) { port, _ in throw Self.inUse(port) }
        }
        #expect(error?.description.contains("127.0.0.1:2") == true)
    }

    @Test func `another error ends the search`() async {
        var tried = 0
        await #expect(throws: WireError.self) {
            try await PortSearch.listen(on: 1, or: [2]) { port, _ in
                tried += 1
                throw WireError.cannotListen(host: "h", port: port, error: IOError(errnoCode: EACCES, reason: "bind"))
            }
        }
        #expect(tried == 1)
    }
}
