// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer

extension EmulatorConfiguration {
    /// Has the lines for the developer written to a log, too.
    func writing(to log: SuiteLog) -> Self {
        var configuration = self
        configuration.onMessage = { [onMessage] line in
            log.add(line, of: EmulatorService.auth.rawValue)
            onMessage(line)
        }
        configuration.onDebug = { [onDebug] text, service in
            log.add(text, of: service.rawValue, level: "debug")
            onDebug(text, service)
        }
        return configuration
    }

    /// Takes the text of a value that the Security Rules of a service show.
    func showingDebug(of service: EmulatorService) -> @Sendable (String) -> Void {
        { [onDebug] in onDebug($0, service) }
    }
}

extension ExportEvent {
    /// Adds a line on the event; none on progress.
    func write(to log: SuiteLog) {
        switch self {
        case .imported(let counts, let path, _): log.add("imported \(counts) from \(path)")
        case .exported(let counts, let path, _): log.add("exported \(counts) to \(path)")
        case .warning(let text): log.add(text, level: "warn")
        case .notice(let text): log.add(text)
        case .progress: break
        }
    }
}
