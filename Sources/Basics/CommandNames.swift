// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The commands of a program, such as `replay` of `audit`.
package struct CommandNames {
    private let program: String
    private let names: [String]

    /// The commands of a program, and `help`.
    package init(of program: String, _ names: [String]) { (self.program, self.names) = (program, names + ["help"]) }

    /// The problem of a command line whose first word is not a command: `audit: 'rplay' is not a command; did you mean
    /// 'replay'?`; `nil` where it is one, an option or nothing.
    package func problem(of words: some Collection<String>) -> String? {
        guard let word = words.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let meant = names.word(similarTo: word).map { "did you mean '\($0)'?" }
        return "\(program): '\(word)' is not a command; " + (meant ?? "there are \(names.joined(separator: ", "))")
    }
}
