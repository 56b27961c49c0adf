// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import ConsoleServer
import DocumentStore
import FunctionEvents
import Wire

extension Emulator {
    /// The calls of the console's page, behind which are the data of all services that are served.
    func consoleAPI(_ rooms: EmulatorRooms, _ accounts: AuthContext?, _ events: FunctionEvents?) -> ConsoleAPI {
        let services = services(of: rooms, events: events, forConsole: true)
        var mounts: [DataMounts.Mount] = []
        if !configuration.unserved.contains(.firestore) {
            mounts.append(DataMounts.Mount("firestore", services.firestore, prefixes: ["/v1/", "/emulator/v1/"]))
        }
        if !configuration.unserved.contains(.storage) {
            let prefixes = ["/v0/", "/storage/v1/", "/upload/storage/v1/", "/internal/"]
            mounts.append(DataMounts.Mount("storage", services.storage, prefixes: prefixes))
        }
        if let accounts {
            // Its pages apply codes when they are opened: they stay at its own port.
            let prefixes = ["/identitytoolkit.googleapis.com/", "/emulator/v1/"]
            mounts.append(DataMounts.Mount("auth", AuthServer(accounts), prefixes: prefixes))
        }
        return ConsoleAPI(
            ConsoleAPI.About(
                version: configuration.version,
                project: configuration.project,
                profile: configuration.profile
            ),
            requests: rooms.requests,
            repeated: rooms.repeated,
            recordings: rooms.recorder,
            audit: configuration.sessionAudit,
            rules: ConsoleRules(rooms, project: configuration.project),
            whole: ConsoleData(rooms, configuration, log),
            conditions: ConditionsEndpoint(faults: rooms.faults, link: rooms.link),
            indexes: { [indexes = rooms.indexes, project = configuration.project] in
                (indexes.missingIndexes, indexes.definedIndexes(of: project))
            },
            data: DataMounts(mounts)
        )
    }
}
