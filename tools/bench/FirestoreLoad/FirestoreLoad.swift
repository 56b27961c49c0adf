// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Puts a Firestore server under one kind of load and prints what it took as one line of JSON.
@main
struct FirestoreLoad {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let scenario = Scenario.all.first(where: { $0.name == arguments[1] }) else {
            let names = Scenario.all.map(\.name).joined(separator: "|")
            fail("usage: FirestoreLoad \(names) [--option value]...", code: 64)
        }
        do {
            let measurement = try scenario.run(try Scenario(options: try Options(arguments[2...])))
            print(measurement.json(scenario: scenario.name))
        } catch {
            fail("\(scenario.name): \(error.message)", code: 69)
        }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        let line = Array("FirestoreLoad: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(code)
    }
}
