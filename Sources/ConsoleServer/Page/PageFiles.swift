// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPageFiles
import Wire

/// The files of the page.
enum PageFiles {
    /// The page itself, before its modules are named in it.
    static let index = files["index.html"] ?? []

    /// The files that it loads, by the names that it has for them.
    static let all = files.filter { $0.key != "index.html" }

    private static let files = console_page_files().byName
}
