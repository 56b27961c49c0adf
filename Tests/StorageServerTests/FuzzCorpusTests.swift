// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Inputs that `tools/fuzz/run` kept are read as they were then.
struct FuzzCorpusTests {
    @Test(arguments: FuzzedParser.allCases)
    func `keeps its promises`(parser: FuzzedParser) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "fixtures/fuzz/\(parser.rawValue)")
        let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let bytes = Array(try Data(contentsOf: input))
            #expect(throws: Never.self, "\(parser.rawValue)/\(input.lastPathComponent)") { try parser.check(bytes) }
        }
    }
}
