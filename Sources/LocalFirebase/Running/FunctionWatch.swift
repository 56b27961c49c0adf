// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import FunctionEvents
import ServiceLifecycle

/// Looks for the functions of the Functions emulator, and has those that decide on sign-ins asked.
struct FunctionWatch: Service {
    let discovery: FunctionDiscovery

    func run() async throws {
        await cancelWhenGracefulShutdown { await discovery.run() }
    }
}

extension Emulator {
    /// Finds functions, where a Functions emulator is named.
    func functionWatch(_ events: FunctionEvents?, _ accounts: AuthContext?) -> [any Service] {
        guard let events else { return [] }
        let discovery = FunctionDiscovery(for: events, onReached: locator.takeBack) { [configuration, onExport] found in
            accounts?.decide(by: found.deciding, project: configuration.project)
            for refusal in found.refusals { onExport(.warning("functions: \(refusal)")) }
            if let summary = found.summary { onExport(.notice("functions: \(summary)")) }
        }
        return discovery.map { [FunctionWatch(discovery: $0)] } ?? []
    }
}
