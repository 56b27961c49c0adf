// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthServer
import ConsoleServer
import DataFiles
import DocumentStore
import FirestoreModel
import FirestoreServer
import Foundation
import MeterLedger
import Metering
import ObjectStore
import SecurityRules
import SessionLog
import StorageServer
import Wire

/// The stores, the ledger and the recorder of one local Firebase, opened and closed together.
struct EmulatorRooms: Sendable {
    let directory: DataDirectory
    let objects: SQLiteObjectStore
    let signingKeys: SigningKeys
    let documents: SQLiteDocumentStore
    let transactions: TransactionManager
    let listening: ListenHub
    let indexes: IndexAdvisor
    /// The time of accounts and of their tokens.
    let accountClock: AuthClock
    let authProfile: AuthProfile
    /// The services whose data are left alone.
    let unserved: Set<EmulatorService>
    /// The project whose accounts are imported and exported.
    let project: String
    /// `nil` where Authentication is not served.
    let accounts: SQLiteAccountStore?
    /// Security Rules, and the judge in force: they, unless only signed-in users are allowed.
    let rules: FirestoreRules
    /// Security Rules of Storage, and the judge in force.
    let storageRules: StorageRules
    let ledger: UsageLedger?
    let quota: QuotaTally?
    /// The last requests, for the console; `nil` when nothing is metered.
    let requests: RequestLog?
    /// Whether a session is recorded.
    let recording = RecordingSwitch()
    let recorder: LiveRecording
    /// The calls that are to fail, for the console.
    let faults = PlannedFaults()
    /// The link of clients, which the console slows down.
    let link = NetworkLink()
    /// The objects that users download again, for the console.
    let repeated = RepeatedDownloads()
    /// Where the ledger is that is not kept.
    private let usageDirectory: EphemeralDirectory?

    /// Opens everything, or leaves no temporary directory behind.
    ///
    /// `header` is the first line of a session log that does not exist yet; `onWarning` receives what the meter cannot count.
    static func open(
        _ configuration: EmulatorConfiguration,
        header: SessionHeader,
        onWarning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(EmulatorError) -> EmulatorRooms {
        let directory = try DataDirectory(configuration)
        do throws(EmulatorError) {
            return try EmulatorRooms(configuration, in: directory, header: header, onWarning)
        } catch {
            directory.removeIfTemporary()
            throw error
        }
    }

    private init(
        _ configuration: EmulatorConfiguration,
        in directory: DataDirectory,
        header: SessionHeader,
        _ onWarning: @escaping @Sendable (String) -> Void
    ) throws(EmulatorError) {
        let now = configuration.now
        let reserve = directory.makeReserve()
        self.directory = directory
        signingKeys = try SigningKeys(files: configuration.signingKeyPaths)
        objects = try Self.opening("the object store") {
            var limits = ObjectStoreConfiguration(durability: directory.isTemporary ? .relaxed : .full)
            limits.enforcesRetention = configuration.enforcesRetention
            return try SQLiteObjectStore(
                directory: directory.path + "/storage",
                clock: now,
                configuration: limits,
                reserve: reserve
            )
        }
        documents = try Self.opening("the document store") {
            try SQLiteDocumentStore(
                location: .file(URL(fileURLWithPath: directory.path + "/firestore.sqlite")),
                clock: { Timestamp(microseconds: now()) },
                durability: directory.isTemporary ? .deferred : .full,
                reserve: reserve
            )
        }
        (authProfile, project) = (configuration.authProfile, configuration.project)
        unserved = configuration.unserved
        accounts = configuration.ports.auth.map { _ in
            let path = directory.path + "/accounts.sqlite"
            return SQLiteAccountStore(path: path, isDurable: !directory.isTemporary, reserve: reserve)
        }
        accounts?.openInBackground(onWarning)
        indexes = try Self.readIndexes(configuration)
        link.change(to: configuration.network)
        let judge = RulesJudge(
            try configuration.rulesFile?.compiled(),
            ofDatabases: try Self.compiled(configuration.rulesFilesOfDatabases),
            recordsCoverage: true,
            feed: RulesFeed(isAlwaysAttended: configuration.ports.websocket != nil) { Timestamp(microseconds: now()) },
            now: now,
            onDebug: configuration.showingDebug(of: .firestore)
        ) {
            onWarning($0.credulityWarning)
        }
        let clock = AuthClock(now)
        accountClock = clock
        let signIn = configuration.requiresSignIn ? SignInJudge(clock: clock) : nil
        let tokens = configuration.authProfile == .production ? TokenCheck(clock: clock) : nil
        rules = FirestoreRules(judge: judge, inPlace: signIn, tokens: tokens)
        let objectRules = try StorageRulesJudge.Rules(configuration)
        let objectJudge = StorageRulesJudge(
            objectRules,
            documents: documents,
            now: now,
            onDebug: configuration.showingDebug(of: .storage)
        )
        storageRules = StorageRules(
            judge: objectJudge,
            inForce: signIn ?? (objectRules.areNone ? nil : objectJudge),
            tokens: tokens.map { StorageTokenJudge(tokens: $0, project: configuration.project) }
        )
        transactions = TransactionManager(store: documents)
        listening = try Self.opening("the document store") { [documents] in try ListenHub(store: documents) }
        let isKept = configuration.keepsUsage || directory.isTemporary
        usageDirectory = try Self.opening("the usage ledger") {
            isKept ? nil : try EphemeralDirectory(in: configuration.temporaryDirectory)
        }
        ledger = try Self.opening("the usage ledger") { [usageDirectory] in
            guard configuration.isMetered else { return nil }
            let path = usageDirectory?.path ?? directory.path
            return try UsageLedger(storage: .directory(path), reserve: reserve) { gap in
                onWarning("\(gap)")
            }
        }
        quota = try Self.opening("the usage ledger") { [ledger] in
            try ledger.map { try QuotaTally(configuration, goingOnFrom: $0) }
        }
        requests = ledger.map { _ in RequestLog() }
        recorder = try Self.opening("the session log") { [objects, recording] in
            try LiveRecording(configuration, header: header, objects: objects, recording: recording)
        }
        reserve.refill()
    }

    /// Where the records of a server go; `nil` when nothing is counted.
    ///
    /// A session log is of data: it has no requests that sign users in.
    func sink(isLogged: Bool = true) -> (any UsageRecording)? {
        let metered: [(any UsageRecording)?] = [ledger, quota, requests, ledger.map { _ in repeated }]
        let logged: [(any UsageRecording)?] = [isLogged && (ledger != nil || recorder.status != nil) ? recorder : nil]
        let sinks = (metered + logged).compactMap(\.self)
        return sinks.isEmpty ? nil : UsageFanOut(sinks: sinks)
    }

    /// Closes everything, also after a failure, and removes what is not kept; throws the first failure.
    func close() throws(EmulatorError) {
        defer { directory.removeIfTemporary() }
        try closeFiles()
    }

    /// Closes everything, and keeps the data even where they are in a temporary directory.
    ///
    /// - Returns: Where they are if that directory is temporary.
    func closeKeepingData() -> String? {
        // An error before this one explains more.
        try? closeFiles()
        return directory.keepIfTemporary()
    }

    private func closeFiles() throws(EmulatorError) {
        defer { usageDirectory?.remove() }
        transactions.close()
        let closings: [(what: String, close: () throws -> Void)] = [
            // Before the objects, whose sizes its last lines have.
            ("the session log", { try recorder.close() }),
            ("the usage ledger", { try ledger?.close() }),
            ("the document store", { try documents.close() }),
            ("the account store", { try accounts?.close() }),
            ("the object store", { try objects.close() }),
        ]
        var failure: EmulatorError?
        for (what, close) in closings {
            do {
                try close()
            } catch {
                failure = failure ?? .cannotClose(what, error: error)
            }
        }
        if let failure { throw failure }
    }

    private static func compiled(
        _ files: [String: RulesFile?]
    ) throws(EmulatorError) -> [String: CompiledRules?] {
        var rules: [String: CompiledRules?] = [:]
        for (name, file) in files { rules.updateValue(try file?.compiled(), forKey: name) }
        return rules
    }

    private static func readIndexes(_ configuration: EmulatorConfiguration) throws(EmulatorError) -> IndexAdvisor {
        var named: [String: IndexConfiguration] = [:]
        for (name, path) in configuration.indexPathsOfDatabases { named[name] = try IndexConfiguration(file: path) }
        var others = IndexConfiguration.automatic
        if let path = configuration.indexPath { others = try IndexConfiguration(file: path) }
        return IndexAdvisor(others, ofDatabases: named, isRequired: configuration.requiresIndexes)
    }

    private static func opening<Value>(
        _ what: String,
        _ open: () throws -> Value
    ) throws(EmulatorError) -> Value {
        do {
            return try open()
        } catch {
            throw .cannotOpen(what, error: error)
        }
    }
}

extension SQLiteAccountStore {
    /// Opens the database while others are opened, so that no port waits for it.
    fileprivate func openInBackground(_ onWarning: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            do {
                try self.open()
            } catch {
                onWarning("\(error)")
            }
        }
    }
}
