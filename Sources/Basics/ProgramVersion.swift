// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CBuildCommit

/// The version of the program; the newest heading of CHANGELOG.md names it, too.
package enum ProgramVersion {
    /// The number of the release that this is, or will be.
    package static let number = "0.1.0"

    /// The number, and the commit where the build was given one: `firemeter 0.1.0 (1f0c2d3e)`.
    package static var text: String {
        let commit = String(cString: firemeter_build_commit())
        return "firemeter \(number)" + (commit.isEmpty ? "" : " (\(commit))")
    }
}
