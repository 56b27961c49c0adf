// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import NIOConcurrencyHelpers

/// The file by which tools of Firebase find the hub of an emulator while it serves.
final class HubLocatorFile: Sendable {
    private let project: String
    private let path: String
    private let report: @Sendable (String) -> Void
    /// The file as it was written; `nil` where it is another emulator's.
    private let written = NIOLockedValueBox<HubLocator?>(nil)

    init(_ configuration: EmulatorConfiguration, report: @escaping @Sendable (String) -> Void) {
        project = configuration.project
        path = HubLocator.path(of: configuration.project, in: configuration.temporaryDirectory)
        self.report = report
    }

    /// Writes the file, unless another emulator serves the project.
    func write(hub: String) {
        let locator = HubLocator(origins: ["http://\(hub)"])
        do {
            if try locator.write(to: path) {
                written.withLockedValue { $0 = locator }
            } else {
                report("another emulator serves the project \(project): tools find that one")
            }
        } catch {
            reportFailure(error)
        }
    }

    /// Writes the file once more: firebase-tools before 15.2, called to serve functions beside this emulator, puts the address of
    /// its own hub there, which has no data to export.
    func takeBack() {
        do {
            try written.withLockedValue { try $0?.replace(path) }
        } catch {
            reportFailure(error)
        }
    }

    /// Removes the file, unless it is another emulator's.
    func remove() {
        written.withLockedValue { locator in
            locator?.remove(from: path)
            locator = nil
        }
    }

    private func reportFailure(_ error: any Error) {
        report("tools of Firebase do not find this emulator: cannot write \(path): \(error)")
    }
}
