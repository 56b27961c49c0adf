// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// `--name value` pairs of a command line.
struct TrialOptions {
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) {
        var name: String?
        for argument in arguments {
            if let known = name {
                values[known] = argument
                name = nil
            } else {
                name = argument.hasPrefix("--") ? String(argument.dropFirst(2)) : nil
            }
        }
    }

    func text(_ name: String) -> String? { values[name] }
    func number(_ name: String, _ standard: Int) -> Int { values[name].flatMap { Int($0) } ?? standard }
}
