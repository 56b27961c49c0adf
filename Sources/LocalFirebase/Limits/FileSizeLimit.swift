// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How large a file this process may write (`ulimit -f`).
enum FileSizeLimit {
    /// Makes a file that would grow beyond the limit an error of its write; by default it ends the process.
    static func prepare() { signal(SIGXFSZ, SIG_IGN) }
}
