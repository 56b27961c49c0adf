// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPageFiles
import Foundation
import Testing

@testable import Wire

struct `Files of pages` {
    @Test(
        arguments: [
            ("ConsoleServer/Page/Files", console_page_files),
            ("AuthServer/Pages/Files", sign_in_page_files),
        ] as [(String, @Sendable () -> page_files)]
    )
    func `are those of their folder`(folder: String, files: @Sendable () -> page_files) throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources/\(folder)").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        let inFolder = try names.map { ($0, [UInt8](try Data(contentsOf: sources.appending(path: $0)))) }
        #expect(files().byName == Dictionary(uniqueKeysWithValues: inFolder), "tools/list-pages lists them")
    }
}
