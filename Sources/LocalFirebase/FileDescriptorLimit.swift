// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How many files and connections this process may have open.
enum FileDescriptorLimit {
    /// Takes all that the system grants; shells often start programs with 1,024, which is 500 metered connections.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // A system that refuses leaves the limit as it was, and that still serves.
        _ = setrlimit(openFiles, &limit)
    }

    #if os(Linux)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let openFiles = RLIMIT_NOFILE
    #endif
}
