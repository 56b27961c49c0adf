// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import LocalFirebase
import SessionAudit
import SessionLog

/// Loads the same views through the relay and through the model.
struct LinkComparison {
    let session: FirstViews
    let logPath: String

    /// The relay imitates the handshake of TCP, but no names, TLS, slow start or pauses; its server is this machine.
    private var rules: LinkRules {
        var rules = LinkRules()
        rules.nameRoundTrips = 0
        rules.secureRoundTrips = 0
        rules.serverTime = 0
        rules.firstWindowByteCount = 1 << 40
        return rules
    }

    /// Prints each view; returns how far the model is from what was measured, as shares.
    func compare(_ strategy: Strategy, on network: Network) async throws -> [Double] {
        let emulator = Emulator(try EmulatorConfiguration(for: session.log, at: logPath))
        let session = session.log
        let rules = rules
        return try await emulator.runWithServers { addresses, servers in
            let server = SimulatedFirebase(servers: servers)
            let simulation = try FeedSimulation(log: session, answeredBy: server, network: network, rules: rules)
            let modelled = try await simulation.result(of: strategy)
            let relay = try ShapedRelay(network, [addresses.firestore, addresses.storage])
            defer { relay.stop() }
            let user = try TimedUser(strategy, session.header, relay.urls)
            var errors: [Double] = []
            for (index, view) in session.views.enumerated() {
                let measured = try await user.look(at: view)
                guard let model = modelled.times[index] else { continue }
                let loads = modelled.tape[index].count
                errors += report(view, strategy, network, loads, measured, model)
            }
            return errors
        }
    }

    private func report(
        _ view: SessionView,
        _ strategy: Strategy,
        _ network: Network,
        _ loads: Int,
        _ measured: TimedUser.Times,
        _ model: ViewTime
    ) -> [Double] {
        let kind = String("\(view.action)".prefix { $0 != "(" })
        let first = model.firstImage.map { Double($0) / 1_000_000 }
        let complete = Double(model.complete) / 1_000_000
        let name = "\(network.name), \(strategy.name)"
        let columns = [
            name.padding(toLength: 35, withPad: " ", startingAt: 0),
            kind.padding(toLength: 16, withPad: " ", startingAt: 0),
            String(format: "%7d", loads),
            measured.firstImage.map { String(format: "%10.0f", $0) } ?? "         -",
            first.map { String(format: "%10.0f", $0) } ?? "         -",
            String(format: "%13.0f%10.0f", measured.complete, complete),
        ]
        print(columns.joined())
        let pairs = [(measured.firstImage, first), (measured.complete, complete)]
        return pairs.compactMap { measured, model in
            guard let measured, let model, measured > 0 else { return nil }
            return abs(model - measured) / measured
        }
    }
}
