// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension SuitePlanner {
    /// Firestore's databases, with the rules and indexes of each.
    ///
    /// Unlike firebase-tools, which serves one database's rules at most, this takes those of all. Source:
    /// `src/firestore/fsConfig.ts` there.
    mutating func firestore() throws(SuiteConfigurationError) -> FirestorePlan {
        let settings = configuration.setting("firestore")
        var databases: [FirestorePlan.Database] = []
        for entry in try databaseEntries() {
            let database = try self.database(entry)
            if let place = databases.firstIndex(where: { $0.id == database.id }) {
                warn("The database \(database.id) has two entries in firebase.json; the last one counts.")
                databases[place] = database
            } else {
                databases.append(database)
            }
        }
        return FirestorePlan(
            databases: databases,
            websocketPort: try ConfiguredAddress.port(settings?["websocketPort"], "emulators.firestore.websocketPort")
        )
    }

    /// A database's id and its entry in `firebase.json`.
    private struct Entry {
        var id = FirestorePlan.defaultDatabase
        var settings = JSONValue.object([:])
    }

    private func databaseEntries() throws(SuiteConfigurationError) -> [Entry] {
        guard let section = configuration.section("firestore") else { return [Entry()] }
        guard let list = section.array else {
            return [Entry(id: section["database"]?.text ?? FirestorePlan.defaultDatabase, settings: section)]
        }
        let chosen = only?.databases
        var missing = chosen ?? []
        var entries: [Entry] = []
        for settings in list {
            guard let name = settings["target"]?.text ?? settings["database"]?.text else {
                throw .badFile(#"Must supply either "target" or "databaseId" in firestore config"#)
            }
            if let chosen, !chosen.contains(name) { continue }
            missing.removeAll { $0 == name }
            entries += try ids(settings, name).map { Entry(id: $0, settings: settings) }
        }
        guard missing.isEmpty else {
            throw .badOption(
                "Could not find configurations in firebase.json for the following database targets: "
                    + missing.joined(separator: ", ")
            )
        }
        return entries.isEmpty ? [Entry()] : entries
    }

    private func ids(_ settings: JSONValue, _ name: String) throws(SuiteConfigurationError) -> [String] {
        guard settings["target"]?.text != nil else { return [name] }
        return try resources.requiredTarget(name, of: .firestore, in: project.id)
    }

    private mutating func database(_ entry: Entry) throws(SuiteConfigurationError) -> FirestorePlan.Database {
        let rules = try firestoreRules(entry)
        let indexes = indexes(entry)
        try checkEdition(entry)
        return FirestorePlan.Database(id: entry.id, rules: rules, indexes: indexes)
    }

    private mutating func firestoreRules(_ entry: Entry) throws(SuiteConfigurationError) -> String? {
        let problem: String
        if let value = entry.settings["rules"], value.isTruthy {
            guard let name = value.string else { throw .badMember("firestore.rules", "must be the path of a file") }
            let path = try ProjectPath.file(name, in: configuration.directory)
            if ProjectPath.isFile(path) { return path }
            problem = "Cloud Firestore rules file \(path) specified in firebase.json does not exist."
        } else {
            problem = "Did not find a Cloud Firestore rules file specified in a firebase.json config file."
        }
        warn(problem)
        let isOnlyOne = entry.id == FirestorePlan.defaultDatabase
        warn(
            "The emulator will default to allowing all reads and writes\(isOnlyOne ? "" : " of database \(entry.id)"). "
                + "Learn more about this option: "
                + "https://firebase.google.com/docs/emulator-suite/install_and_configure#security_rules_configuration."
        )
        return nil
    }

    /// The indexes of a database; a file that cannot be used is warned of, because the official emulator reads none.
    private mutating func indexes(_ entry: Entry) -> String? {
        guard let value = entry.settings["indexes"], value.isTruthy else { return nil }
        do throws(SuiteConfigurationError) {
            guard let name = value.string else { throw .badMember("firestore.indexes", "must be the path of a file") }
            let path = try ProjectPath.file(name, in: configuration.directory)
            if ProjectPath.isFile(path) { return path }
            warn("Cloud Firestore indexes file \(path) specified in firebase.json does not exist.")
        } catch {
            warn("Cloud Firestore indexes are left out: \(error)")
        }
        return nil
    }

    /// Refuses what is not an edition, as the official emulator does; here databases of both are the same.
    private mutating func checkEdition(_ entry: Entry) throws(SuiteConfigurationError) {
        let emulated = configuration.setting("firestore")?["edition"].flatMap { $0.isTruthy ? $0 : nil }
        let deployed = entry.settings["edition"].flatMap { $0.isTruthy ? $0 : nil }
        if let emulated, let deployed, emulated != deployed {
            warn(
                "The edition configured in your firebase.json#firestore and firebase.json#emulators.firestore do not "
                    + "match. The latter will be used to start up the Firestore emulator."
            )
        }
        guard let value = emulated ?? deployed else { return }
        guard let edition = value.string?.lowercased(), ["standard", "enterprise"].contains(edition) else {
            throw .badFile("The Firestore emulator edition must be either 'standard' or 'enterprise'.")
        }
    }

    private mutating func warn(_ text: String) { notices.append(.warning(text, about: .firestore)) }
}
