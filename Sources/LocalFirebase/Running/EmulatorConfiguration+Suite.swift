// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import DocumentStore
import Foundation
package import SuiteFiles
import Wire

extension EmulatorConfiguration {
    /// Serves what a project's files name.
    ///
    /// - Parameters:
    ///   - plan: The services, rules and indexes.
    ///   - chosen: The ports of services that were chosen apart from the files.
    /// - Returns: Warnings of files that cannot be used, and which the official emulators do not read.
    package mutating func serve(_ plan: SuitePlan, on chosen: [EmulatorService: Int]) -> [String] {
        project = plan.project.id
        otherProjectsAdvice =
            plan.isSingleProject ? #"set "singleProjectMode": false in "emulators" of firebase.json"# : nil
        makesDefaultBucket = plan.storage != nil
        interfacePath = SuiteInterface.directory(in: ProcessInfo.processInfo.environment)
        let warnings = take(plan.firestore)
        take(plan.storage)
        let addresses: [(EmulatorService, ConfiguredAddress?)] = [
            (.firestore, plan[.firestore]), (.storage, plan[.storage]), (.auth, plan[.auth]), (.console, plan.ui),
            (.hub, plan.hub), (.logging, plan.logging),
        ]
        let webSocketPort = chosen[.websocket] ?? plan.firestore?.websocketPort
        let taken = Set(
            addresses.compactMap { chosen[$0.0] ?? $0.1.flatMap { $0.isPortFixed ? $0.portOrDefault : nil } }
                + [webSocketPort].compactMap(\.self)
        )
        for (service, address) in addresses {
            guard let address else {
                unserved.insert(service)
                continue
            }
            hosts[service] = address.hostOrDefault
            if let port = chosen[service] ?? (address.isPortFixed ? address.portOrDefault : nil) {
                ports.set(service, to: port)
            } else {
                search(for: service, from: address.portOrDefault, but: taken)
            }
        }
        guard plan.firestore != nil else { return warnings }
        hosts[.websocket] = hosts[.firestore]
        if let port = webSocketPort {
            ports.websocket = port
        } else {
            search(for: .websocket, from: 9_150, but: taken)
        }
        return warnings
    }

    /// Has a service take the first port from one on that is not in use when it begins to listen.
    private mutating func search(for service: EmulatorService, from first: Int, but taken: Set<Int>) {
        let candidates = PortSearch.candidates(from: first, but: taken)
        ports.set(service, to: candidates.first ?? first)
        otherPorts[service] = Array(candidates.dropFirst())
    }

    private mutating func take(_ firestore: FirestorePlan?) -> [String] {
        guard let databases = firestore?.databases else { return [] }
        var warnings: [String] = []
        func usable(_ path: String?) -> String? {
            guard let path else { return nil }
            do throws(EmulatorError) {
                _ = try IndexConfiguration(file: path)
                return path
            } catch {
                warnings.append(error.description)
                return nil
            }
        }
        // One alone is that of every database: emulators have those that clients name.
        guard databases.count > 1 else {
            (rulesPath, indexPath) = (databases.first?.rules, usable(databases.first?.indexes))
            return warnings
        }
        for database in databases {
            rulesPathsOfDatabases.updateValue(database.rules, forKey: database.id)
            indexPathsOfDatabases[database.id] = usable(database.indexes)
        }
        return warnings
    }

    private mutating func take(_ storage: StorageRulesPlan?) {
        switch storage {
        case nil, .open: return
        case .everywhere(let path): storageRulesPath = path
        case .ofBuckets(let buckets):
            rulesPathsOfBuckets = Dictionary(buckets.map { ($0.name, $0.rules) }) { first, _ in first }
        }
    }
}

extension EmulatorPorts {
    fileprivate mutating func set(_ service: EmulatorService, to port: Int) {
        switch service {
        case .firestore: firestore = port
        case .storage: storage = port
        case .console: console = port
        case .auth: auth = port
        case .websocket: websocket = port
        case .hub: hub = port
        case .logging: logging = port
        }
    }
}

extension ConfiguredAddress {
    /// The address to connect to: that of `localhost` to which clients of firebase-tools are sent.
    package var connectingHost: String { ListeningHost(hostOrDefault).address }
}
