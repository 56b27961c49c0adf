// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import NIOConcurrencyHelpers

/// Returns whether an object is as it was read, without asking the database.
///
/// Every name has one of a fixed number of counters, which it shares with others. A counter is even while nothing
/// changes, and odd from the first change of a row until the end of the transaction; there is one writer at a time:
///
///     stamp 4 ──▶ read the row ──▶ still 4: current        a row changes: 5 ──▶ commit or rollback: 6
///
/// A change of another object with the same counter makes an answer look outdated that is not: only time is lost.
final class ObjectStamps: Sendable {
    /// Enough that objects seldom share a counter; 32 KiB of memory.
    static let counterCount = 4_096

    private struct State {
        var counters = [UInt64](repeating: 0, count: ObjectStamps.counterCount)
        /// The counters that are odd.
        var changing: Set<Int> = []

        mutating func change(_ index: Int) {
            if changing.insert(index).inserted { counters[index] += 1 }
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Returns the stamp of an object of this name; `nil` while it is being changed.
    func stamp(_ name: some Sequence<UInt8>) -> ObjectStamp? {
        let index = Self.index(name)
        let count = state.withLockedValue { $0.counters[index] }
        return count.isMultiple(of: 2) ? ObjectStamp(stamps: self, index: index, count: count) : nil
    }

    /// An object of this name has been changed by the open transaction.
    func changed(_ name: some Sequence<UInt8>) {
        let index = Self.index(name)
        state.withLockedValue { $0.change(index) }
    }

    /// Objects have been changed by the open transaction, without a record of which.
    func changedAll() {
        state.withLockedValue { state in
            for index in 0..<Self.counterCount { state.change(index) }
        }
    }

    /// The transaction is over; called before the next one begins.
    func transactionEnded() {
        state.withLockedValue { state in
            for index in state.changing { state.counters[index] += 1 }
            state.changing.removeAll(keepingCapacity: true)
        }
    }

    fileprivate func count(_ index: Int) -> UInt64 { state.withLockedValue { $0.counters[index] } }

    private static func index(_ name: some Sequence<UInt8>) -> Int {
        var hasher = Hasher()
        for byte in name { hasher.combine(byte) }
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(counterCount))
    }
}

/// A moment in the life of an object; see ``ObjectStamps``.
package struct ObjectStamp: Sendable {
    fileprivate let stamps: ObjectStamps
    fileprivate let index: Int
    fileprivate let count: UInt64

    /// Whether the object is as it was when the stamp was made.
    package var isCurrent: Bool { stamps.count(index) == count }
}

extension ObjectStamps {
    private static let function = "objectChanged"

    /// Lets the database report every change of a row, whichever statement makes it.
    ///
    /// The triggers belong to the connection that writes, and are gone with it. An answer may contain its bucket too, so
    /// a changed bucket changes all its objects.
    func watch(_ database: Database) throws {
        database.add(
            function: DatabaseFunction(Self.function, argumentCount: 1) { [self] arguments in
                if let name = Data.fromDatabaseValue(arguments[0]) { changed(name) } else { changedAll() }
                return nil
            }
        )
        for table in ["object", "noncurrent"] {
            for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
                try watch(event, of: table, name: "\(row).name", database: database)
            }
        }
        for event in ["UPDATE", "DELETE"] { try watch(event, of: "bucket", name: "NULL", database: database) }
    }

    private func watch(_ event: String, of table: String, name: String, database: Database) throws {
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER \(table)\(event) AFTER \(event) ON main.\(table)
                BEGIN SELECT \(Self.function)(\(name)); END
                """
        )
    }
}
