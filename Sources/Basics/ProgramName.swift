// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The name that the program was called by: `firemeter`, or that of a link to it.
package enum ProgramName {
    /// The last part of the path on the command line, with which messages on standard error begin.
    package static let current =
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "firemeter"
}
