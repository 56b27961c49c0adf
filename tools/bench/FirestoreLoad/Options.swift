// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// `--name value` arguments.
struct Options {
    private var values: [String: String] = [:]

    init(_ arguments: ArraySlice<String>) throws(LoadError) {
        var rest = arguments
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else {
                throw LoadError(message: "\(name) is not an option with a value")
            }
            values[String(name.dropFirst(2))] = value
        }
    }

    func string(_ name: String, default other: String) -> String {
        values[name] ?? other
    }

    func integer(_ name: String, default other: Int) throws(LoadError) -> Int {
        guard let text = values[name] else { return other }
        guard let value = Int(text), value >= 0 else { throw LoadError(message: "--\(name) is not a number") }
        return value
    }
}
