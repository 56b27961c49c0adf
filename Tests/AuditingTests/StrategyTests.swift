// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Testing

struct StrategyTests {
    @Test func `the presets go from the origin's first version to its last`() {
        let names = [
            "all-images", "all-images+memory", "thumbnails", "thumbnails+memory", "thumbnails+memory+disk",
        ]
        #expect(Strategy.presets.map(\.name) == names)
        #expect(Strategy.presets.first == .baseline)
        #expect(Strategy.presets.map(\.mode) == [.allImages, .allImages, .thumbnails, .thumbnails, .thumbnails])
        let memory = Strategy.memoryByteCountMaxDefault
        #expect(Strategy.presets.map(\.memoryByteCountMax) == [nil, memory, nil, memory, memory])
        #expect(Strategy.presets.map(\.diskByteCountMax) == [nil, nil, nil, nil, Strategy.diskByteCountMaxDefault])
    }

    @Test func `are found by name, in the order asked for`() throws {
        #expect(try Strategy.named([]) == Strategy.presets)
        let named = try Strategy.named(["thumbnails", "all-images", "thumbnails"])
        #expect(named.map(\.name) == ["thumbnails", "all-images", "thumbnails"])
    }

    @Test(arguments: ["", "Thumbnails", "thumbnails+disk"])
    func `an unknown name is an error of usage`(_ name: String) throws {
        let error = try #require(throws: AuditError.self) { try Strategy.named(["thumbnails", name]) }
        #expect(error.code == .usage)
        #expect(error.exitCode == 64)
        #expect(error.description.hasPrefix("there is no strategy '\(name)'; there are all-images, all-images+memory,"))
    }
}
