// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CProcessMemory
import Foundation

/// How much memory this process may have.
///
/// A thread that finds no room for its stack ends the process without a word (NIOPosix 2.101, `ThreadPosix.swift`), so
/// stacks are small, and a limit that does not even do for those is refused in words.
enum MemoryLimit {
    /// A limit that the system keeps for a process.
    struct Limit {
        let name: String
        /// The command of a shell that sets it.
        let command: String
        /// The least with which the emulator serves some tens of clients.
        let byteCountMin: UInt64
        fileprivate let resource: Resource
    }

    /// Linux gives every thread the 8 MiB of the main one, all of which count as data; on Apple's systems all but the main
    /// thread have 512 KiB.
    ///
    /// In builds for debugging, functions have frames of several times the size: there, the 99 levels of a rule's expression
    /// need 1.9 MiB (2026-11).
    private static let stackByteCount: UInt = _isDebugAssertConfiguration() ? 4 << 20 : 1 << 20

    private static let limits = [
        Limit(name: "data", command: "ulimit -d", byteCountMin: 96 << 20, resource: data),
        Limit(name: "address space", command: "ulimit -v", byteCountMin: 1_024 << 20, resource: addressSpace),
    ]

    /// Makes the stacks of all threads to come small; throws where the process may have too little memory.
    static func prepare() throws(EmulatorError) {
        _ = firemeter_set_stack_size(stackByteCount)
        for limit in limits {
            var value = rlimit()
            guard getrlimit(limit.resource, &value) == 0, value.rlim_cur < limit.byteCountMin else { continue }
            throw .tooLittleMemory(limit, allowed: UInt64(value.rlim_cur))
        }
    }

    #if os(Linux)
    fileprivate typealias Resource = __rlimit_resource_t
    private static let data = Resource(RLIMIT_DATA.rawValue)
    private static let addressSpace = Resource(RLIMIT_AS.rawValue)
    #else
    fileprivate typealias Resource = CInt
    private static let data = RLIMIT_DATA
    private static let addressSpace = RLIMIT_AS
    #endif
}
