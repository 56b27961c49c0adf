// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Every sample of FeedClient's articles is code that is compiled and run here.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let articles = root.appendingPathComponent("Sources/FeedClient/FeedClient.docc")
    private static let code = root.appendingPathComponent("Tests/Support/Refactorings")

    private static func files(of directory: URL, _ nameExtension: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == nameExtension }
    }

    /// The lines without their indentation and access level, which are others in an article.
    private static func bare(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { line in
            let code = line.trimmingCharacters(in: .whitespaces)
            return code.hasPrefix("package ") ? String(code.dropFirst("package ".count)) : code
        }
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func samples(in article: String) -> [String] {
        article.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `every sample is compiled`() throws {
        let code = try Self.files(of: Self.code, "swift").map { try String(contentsOf: $0, encoding: .utf8) }
        let compiled = code.map { Self.bare($0) }.joined(separator: "\n")
        var count = 0
        for article in try Self.files(of: Self.articles, "md") {
            for sample in Self.samples(in: try String(contentsOf: article, encoding: .utf8)) {
                count += 1
                #expect(compiled.contains(Self.bare(sample)), "\(article.lastPathComponent):\n\(sample)")
            }
        }
        #expect(count >= 13)
    }
}
