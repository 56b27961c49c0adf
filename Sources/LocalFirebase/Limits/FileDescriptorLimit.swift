// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How many files and connections this process may have open.
enum FileDescriptorLimit {
    /// The emulator's own files and sockets take half of them, and each metered connection two while there are many.
    static let countMin: UInt64 = 64

    /// Takes all that the system grants; shells often start programs with 1,024, which is 500 metered connections.
    ///
    /// - Throws: When that leaves no room for files and connections.
    static func raise() throws(EmulatorError) {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            let former = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            // A system that refuses leaves the limit as it was, and that still serves.
            if setrlimit(openFiles, &limit) != 0 { limit.rlim_cur = former }
        }
        guard limit.rlim_cur >= countMin else { throw .tooFewDescriptors(UInt64(limit.rlim_cur), min: countMin) }
    }

    #if os(Linux)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let openFiles = RLIMIT_NOFILE
    #endif
}
