// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Counts bytes that are held in memory, up to a limit; may be shared by threads.
///
///     process ◀── beyond the spare bytes ── connection ◀── grains ── ConnectionMemory ◀── streams
///        ▲                                      ▲
///        └── ByteReservation (a body) ──────────┴── ByteReservation (an unpacked message, a batch of answers)
///
/// A request that does not fit is refused at once. Nothing waits for room: requests that each hold a half would wait for each
/// other.
package final class ByteBudget: Sendable {
    /// The budget of all connections of the process.
    package static let process = ByteBudget("server", byteCountMax: MemoryLimits.processByteCountMax)

    private let holder: String
    private let byteCountMax: Int
    private let parent: ByteBudget?
    private let spareByteCount: Int
    private let held = NIOLockedValueBox(0)

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - holder: Names it in refusals, such as `connection`.
    ///   - byteCountMax: The most bytes that may be held at a time.
    ///   - parent: The budget that this one is a part of.
    ///   - spareByteCount: The bytes that are held without asking the parent.
    package init(_ holder: String, byteCountMax: Int, of parent: ByteBudget? = nil, sparing spareByteCount: Int = 0) {
        precondition(byteCountMax > 0, "a budget must allow bytes (allows \(byteCountMax))")
        self.holder = holder
        self.byteCountMax = byteCountMax
        self.parent = parent
        self.spareByteCount = spareByteCount
    }

    /// The budget of one connection.
    package static func connection(of process: ByteBudget) -> ByteBudget {
        ByteBudget(
            "connection",
            byteCountMax: MemoryLimits.connectionByteCountMax,
            of: process,
            sparing: MemoryLimits.connectionSpareByteCount
        )
    }

    /// Bytes held now.
    package var heldByteCount: Int { held.withLockedValue(\.self) }

    /// Takes bytes, here and of the parent, or none at all.
    func take(_ byteCount: Int) throws(BudgetExceeded) {
        let result: Result<Void, BudgetExceeded> = held.withLockedValue { held in
            guard byteCount <= byteCountMax - held else {
                return .failure(BudgetExceeded(holder: holder, byteCountMax: byteCountMax))
            }
            do throws(BudgetExceeded) {
                try parent?.take(shared(held + byteCount) - shared(held))
            } catch {
                return .failure(error)
            }
            held += byteCount
            return .success(())
        }
        try result.get()
    }

    func giveBack(_ byteCount: Int) {
        guard byteCount > 0 else { return }
        held.withLockedValue { held in
            precondition(byteCount <= held, "more bytes are given back (\(byteCount)) than are held (\(held))")
            parent?.giveBack(shared(held) - shared(held - byteCount))
            held -= byteCount
        }
    }

    /// The bytes of the number that the parent counts.
    private func shared(_ byteCount: Int) -> Int { max(0, byteCount - spareByteCount) }
}

/// A request, or an answer, does not fit into memory at the moment.
package struct BudgetExceeded: Error, Equatable {
    let holder: String
    let byteCountMax: Int

    /// The full resource, and how to remedy it.
    package var message: String {
        "The \(holder) holds as many bytes of unfinished requests and unread answers as it may "
            + "(\(byteCountMax)); try again when some have ended."
    }
}

/// How many bytes of unfinished requests and unread answers the server holds.
///
/// Other limits count streams, connections and messages; these bound what they add up to. Heads over HTTP/1.1, each with
/// a limit of its own, are not among it.
package enum MemoryLimits {
    /// Bytes that all connections hold, beyond what each may hold without asking; with what is made of them, a process under
    /// attack stays within 256 MiB (`tools/trials/hostile`).
    static let processByteCountMax = 88 << 20
    /// Bytes that one connection holds: six of the largest messages (10 MiB), as clients of one process share a connection.
    package static let connectionByteCountMax = 64 << 20
    /// Bytes that a connection holds without asking the process, so that small calls are answered whatever large ones
    /// of other clients hold.
    static let connectionSpareByteCount = 256 << 10
    /// Bytes of a body or a message that are not worth asking for: there are only as many of them as connections, or as
    /// threads.
    package static let spareByteCount = 64 << 10
    /// A connection asks for this many bytes at a time, so that small calls take no lock.
    static let grainByteCount = 256 << 10
}
