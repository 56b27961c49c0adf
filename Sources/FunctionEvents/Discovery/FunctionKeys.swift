// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The keys under which the Functions emulator takes events.
///
/// A key is a function's id and the number of times that all functions were loaded, such as `us-central1-notify-0`. Listings
/// have the ids alone; the answer to a call of an unknown function names the keys.
///
/// Source: firebase-tools 15.28.1, `src/emulator/functionsEmulator.ts`, `getTriggerKey` and `handleHttpsTrigger`.
struct FunctionKeys: Sendable, Equatable {
    /// A function that is in no project.
    static let unknownFunction = "firemeter-lists-keys"
    private static let beginning = "valid functions are: "

    private let numbers: [String: Int]

    /// Those of functions that were loaded once.
    static let first = Self(numbers: [:])

    private init(numbers: [String: Int]) { self.numbers = numbers }

    /// Reads the answer to a call of an unknown function; `nil` for one of another form.
    ///
    /// - Parameters:
    ///   - answer: The answer's body.
    ///   - ids: The ids of all functions: those of HTTP functions are their keys.
    init?(answer: [UInt8], ids: Set<String>) {
        let text = String(decoding: answer, as: UTF8.self)
        guard let list = text.firstRange(of: Self.beginning) else { return nil }
        var numbers: [String: Int] = [:]
        for key in text[list.upperBound...].split(separator: ", ") where !ids.contains(String(key)) {
            guard let dash = key.lastIndex(of: "-"), let number = Int(key[key.index(after: dash)...]), number >= 0
            else {
                continue
            }
            let id = String(key[..<dash])
            numbers[id] = max(numbers[id] ?? 0, number)
        }
        self.init(numbers: numbers)
    }

    /// The key of a function.
    func key(of id: String) -> String { "\(id)-\(numbers[id] ?? 0)" }
}
