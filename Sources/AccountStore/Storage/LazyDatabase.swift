// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import GRDB
import NIOConcurrencyHelpers

/// A database that is opened when it is first needed, so that no start waits for it.
final class LazyDatabase: Sendable {
    private enum State {
        case unopened
        case open(DatabasePool)
        case failed(AccountStoreError)
        case closed
    }

    private let path: String
    private let isDurable: Bool
    private let state = NIOLockedValueBox(State.unopened)

    init(path: String, isDurable: Bool) { (self.path, self.isDurable) = (path, isDurable) }

    /// The database; who comes while it is being opened waits.
    func pool() throws -> DatabasePool {
        try state.withLockedValue { state in
            switch state {
            case .open(let pool): return pool
            case .failed(let error): throw error
            case .closed: throw AccountStoreError.database("it is closed", isOfDisk: false)
            case .unopened:
                do {
                    let pool = try open()
                    state = .open(pool)
                    return pool
                } catch {
                    let failure = (error as? DatabaseError).map(AccountStoreError.init) ?? .recordUnreadable
                    state = .failed(failure)
                    throw failure
                }
            }
        }
    }

    func close() throws {
        try state.withLockedValue { state in
            if case .open(let pool) = state { try pool.close() }
            state = .closed
        }
    }

    private func open() throws -> DatabasePool {
        OwnFiles.prepareDatabase(path)
        let pool = try DatabasePool(path: path)
        // After opening: the pool itself sets NORMAL, which may lose the last commits with the machine.
        let synchronous = isDurable ? "FULL" : "OFF"
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
        try AccountSchema.migrator.migrate(pool)
        return pool
    }
}
