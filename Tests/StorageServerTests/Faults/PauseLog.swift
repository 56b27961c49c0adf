// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

@testable import StorageServer

/// Lets no time pass, but records how much should have passed.
struct PauseLog {
    private let pauses = NIOLockedValueBox<[Duration]>([])

    var durations: [Duration] { pauses.withLockedValue { $0 } }

    /// An injector that pauses here.
    var injector: FaultInjector {
        let pauses = pauses
        return FaultInjector { duration in pauses.withLockedValue { $0.append(duration) } }
    }
}
