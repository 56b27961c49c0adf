// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// A store's connections: one that writes, and as many that read as there are reads at a time.
final class Connections: Sendable {
    /// Readers kept open for later; more are closed after their read.
    private static let idleReaderCountMax = 8

    private struct State {
        /// `nil` once closed.
        var writer: SQLiteConnection?
        var readers: [SQLiteConnection] = []
    }

    /// `nil` for a database in memory, which only the writer can see.
    private let path: String?
    private let state: NIOLockedValueBox<State>
    /// Held while the writer's connection is in use.
    private let writing = NIOLock()

    init(file path: String, writer: SQLiteConnection) {
        self.path = path
        self.state = NIOLockedValueBox(State(writer: writer))
    }

    init(memory writer: SQLiteConnection) {
        self.path = nil
        self.state = NIOLockedValueBox(State(writer: writer))
    }

    /// Runs a body on a snapshot.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try ask { try Self.inTransaction(.begin, on: $0, body) }
    }

    /// Runs a body that asks a single question, which is a snapshot by itself.
    func ask<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard let path else { return try write(body) }
        let reader = try takeReader(path)
        defer { giveBack(reader) }
        return try body(reader)
    }

    /// Runs a body on the connection that writes, one at a time.
    func write<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try writing.withLock {
            guard let writer = state.withLockedValue(\.writer) else { throw FirestoreError.closed }
            return try body(writer)
        }
    }

    /// Ends the transaction with a commit, or takes everything back when the body throws.
    static func inTransaction<Result>(
        _ beginning: StoredStatement,
        on connection: SQLiteConnection,
        _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        try connection.run(beginning)
        do {
            let result = try body(connection)
            try connection.run(.commit)
            return result
        } catch {
            // After some errors there is none any more.
            if connection.isInTransaction { try? connection.run(.rollback) }
            throw error
        }
    }

    /// Lets calls under way finish; calls after this fail.
    func close() {
        writing.withLock {
            state.withLockedValue { state in
                state.writer = nil
                state.readers = []
            }
        }
    }

    private func takeReader(_ path: String) throws -> SQLiteConnection {
        let idle = try state.withLockedValue { state in
            guard state.writer != nil else { throw FirestoreError.closed }
            return state.readers.popLast()
        }
        if let idle { return idle }
        let reader = try SQLiteConnection(path: path)
        for setting in Tuning.readerSettings {
            try reader.execute(setting)
        }
        return reader
    }

    private func giveBack(_ reader: SQLiteConnection) {
        state.withLockedValue { state in
            guard state.writer != nil, state.readers.count < Self.idleReaderCountMax else { return }
            state.readers.append(reader)
        }
    }
}
