// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import DocumentStore
import FirestoreModel

extension IndexAdvisor {
    /// The needs so far, as the console lists them.
    var missingIndexes: [ListedIndex] {
        needs.map { need in
            ListedIndex(
                database: need.database.name,
                list: need.index.configurationKey,
                entry: need.index.configurationEntry,
                queryCount: need.queryCount
            )
        }
    }

    /// The indexes that are defined, by database and then by their entries.
    func definedIndexes(of project: String) -> [ListedIndex] {
        configurations.sorted { ($0.key ?? "") < ($1.key ?? "") }.flatMap { name, configuration in
            let database = name.map { DatabaseID(project: project, database: $0).name } ?? ListedIndex.otherDatabases
            let lists = [
                ("indexes", configuration.indexes.map(\.configurationEntry)),
                ("fieldOverrides", configuration.overrides.map(\.configurationEntry)),
            ]
            return lists.flatMap { list, entries in
                entries.sorted().map { ListedIndex(database: database, list: list, entry: $0) }
            }
        }
    }
}
