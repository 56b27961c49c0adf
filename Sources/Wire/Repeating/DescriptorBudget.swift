// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many descriptors files in memory may take, so that connections are not left without.
final class DescriptorBudget: Sendable {
    /// An eighth of what the process may have, but 1,024 at most, and 64 where the system does not report it.
    static let process: DescriptorBudget = {
        let openMax = sysconf(CInt(_SC_OPEN_MAX))
        return DescriptorBudget(countMax: openMax > 0 ? min(openMax / 8, 1_024) : 64)
    }()

    private let left: NIOLockedValueBox<Int>

    init(countMax: Int) {
        left = NIOLockedValueBox(countMax)
    }

    /// Takes one; `false` when none is left.
    func take() -> Bool {
        left.withLockedValue { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    func giveBack(_ count: Int) {
        left.withLockedValue { $0 += count }
    }
}
