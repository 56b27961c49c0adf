// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LocalFirebase
import NIOConcurrencyHelpers

/// Ends the process at once when it is asked a second time to end, as Firebase's own command does.
final class ForcedEnd: Sendable {
    /// How long the last line may take: who reads standard error may have stopped.
    private static let lastWordsTime = DispatchTimeInterval.milliseconds(200)

    private let configuration: EmulatorConfiguration
    private let printer: ServePrinter
    private let script = NIOLockedValueBox<ScriptProcess?>(nil)

    init(_ configuration: EmulatorConfiguration, _ printer: ServePrinter) {
        (self.configuration, self.printer) = (configuration, printer)
    }

    /// Has a command killed at the end; `nil` once it has ended.
    func take(_ process: ScriptProcess?) { script.withLockedValue { $0 = process } }

    /// Answers a signal; does not return from the second.
    func answer(_ signal: EndSignals.Occurrence, in emulator: Emulator) {
        guard !signal.isFirst else {
            return DispatchQueue.global().async { [printer, configuration] in
                printer.ending(upon: signal.name, exportingTo: configuration.exportPath)
            }
        }
        let process = script.withLockedValue { $0 }
        process?.kill()
        emulator.removeLocator()
        let text = "a second \(signal.name) ends everything at once: " + givenUp(process).joined(separator: "; ")
        let isSaid = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [printer] in
            printer.refused(text)
            isSaid.signal()
        }
        _ = isSaid.wait(timeout: .now() + Self.lastWordsTime)
        _exit(128 + signal.number)
    }

    private func givenUp(_ process: ScriptProcess?) -> [String] {
        let command = process == nil ? [] : ["the command is killed"]
        guard let path = configuration.exportPath else { return command + ["requests in flight are cut off"] }
        let data =
            switch configuration.storage {
            case .directory(let directory): "the data stay in \(directory)"
            case .ephemeral: "data that are not in it are lost"
            }
        return command + ["the export to \(path) is given up unless it is in place; what is there is whole", data]
    }
}
