// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
